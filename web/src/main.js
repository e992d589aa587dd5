// SPDX-License-Identifier: BSD-3-Clause
// Builds the page from its data.
import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { specification } from './charts.js';
import { cellText } from './format.js';
import { tableOf } from './table.js';

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function objects(figure) {
  return figure.rows.map((row) => Object.fromEntries(figure.columns.map((column, i) => [column.key, row[i]])));
}

/** Values of `key` in their order, and the most frequent one. */
function valuesOf(rows, key) {
  const counts = new Map();
  for (const row of rows) counts.set(row[key], (counts.get(row[key]) ?? 0) + 1);
  const values = [...counts.keys()];
  if (values.every((value) => typeof value === 'number')) values.sort((a, b) => a - b);
  const most = values.reduce((best, value) => (counts.get(value) > counts.get(best) ? value : best), values[0]);
  return { values, most };
}

/** Selects beside a chart; each offers what the ones before it leave. */
function addFilters(figure, rows, prefer, box, redraw) {
  const chosen = new Map();
  const selects = figure.filters.map((key) => {
    const column = figure.columns.find((one) => one.key === key);
    const label = element('label', `${column.title} `);
    const select = element('select', '', { 'data-key': key });
    label.append(select);
    box.append(label);
    return { key, column, select };
  });
  const left = (until) => rows.filter((row) => selects.slice(0, until).every(({ key }) => row[key] === chosen.get(key)));
  const offer = (from) => {
    for (let i = from; i < selects.length; ++i) {
      const { key, column, select } = selects[i];
      const { values, most } = valuesOf(left(i), key);
      const kept = [chosen.get(key), prefer[key], most].find((value) => values.includes(value));
      chosen.set(key, kept);
      select.replaceChildren(...values.map((value) => {
        const option = element('option', cellText(value, column.unit));
        option.selected = value === kept;
        return option;
      }));
      select.onchange = () => {
        chosen.set(key, values[select.selectedIndex]);
        offer(i + 1);
        redraw(left(selects.length));
      };
    }
  };
  offer(0);
  return left(selects.length);
}

async function draw(figure, box, values) {
  const result = await embed(box, specification(figure, values), {
    ast: true, expr: expressionInterpreter, renderer: 'svg', mode: 'vega-lite',
    actions: { export: true, source: false, compiled: false, editor: false }, downloadFileName: figure.id,
  });
  box.querySelector('summary')?.setAttribute('aria-label', `Save the chart: ${figure.title}`);
  return result;
}

function chartOf(figure, prefer, drawn) {
  const rows = objects(figure);
  const parts = document.createDocumentFragment();
  const filters = element('div', '', { class: 'filters' });
  const box = element('div', '', { class: 'chart' });
  let last = Promise.resolve();
  const redraw = (values) => {
    last = last.then((before) => {
      before?.finalize(); // its listeners on the document and the window
      return draw(figure, box, values);
    }).then((result) => {
      // One picture with a description; its numbers are in the table.
      const picture = box.querySelector('svg').parentElement;
      picture.setAttribute('role', 'img');
      picture.setAttribute('aria-label', `${figure.title}. ${figure.text}`);
      box.querySelector('svg').setAttribute('aria-hidden', 'true');
      return result;
    });
    return last;
  };
  const first = addFilters(figure, rows, prefer, filters, redraw);
  if (figure.filters.length > 0) parts.append(filters);
  parts.append(box);
  drawn.push(() => redraw(first));
  return parts;
}

function pictureOf(figure) {
  const box = element('div', '', { class: 'picture', tabindex: '0', role: 'region', 'aria-label': figure.title });
  box.innerHTML = figure.svg;
  const svg = box.querySelector('svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', figure.text);
  return box;
}

function figureOf(figure, prefer, drawn) {
  const whole = element('figure', '', { id: figure.id });
  const caption = element('figcaption');
  caption.append(element('h3', figure.title), element('p', figure.text));
  whole.append(caption);
  if (figure.rows.length === 0) {
    whole.append(element('p', figure.missing, { class: 'missing' }));
    return whole;
  }
  if (figure.chart) whole.append(chartOf(figure, prefer, drawn));
  if (figure.svg) whole.append(pictureOf(figure));
  if (!figure.chart || figure.chart === 'winner_map') whole.classList.add('wide');
  whole.append(tableOf(figure));
  return whole;
}

/** What to set for the MPI library: lines of a shell, and after '#' why. */
function settingsOf(lines) {
  if (lines.length === 0) return [];
  const set = element('p', 'Settings of the MPI library: ', { class: 'next' });
  const why = element('p', '', { class: 'missing' });
  for (const line of lines) {
    if (line.startsWith('#')) why.append(element('span', line.slice(2)), element('br'));
    else set.append(element('code', line));
  }
  return why.firstChild ? [set, why] : [set];
}

function headerOf(page) {
  const header = document.getElementById('header');
  header.append(element('h1', page.title));
  const verdict = element('div', '', { class: 'verdict' });
  for (const sentence of page.verdict) verdict.append(element('p', sentence));
  const next = element('p', 'Next: ', { class: 'next' });
  next.append(element('code', page.next));
  const contents = element('nav', '', { 'aria-label': 'Sections' });
  const list = element('ul');
  for (const section of page.sections) {
    const item = element('li');
    item.append(element('a', section.title, { href: `#${section.id}` }));
    list.append(item);
  }
  contents.append(list);
  header.append(verdict, next, ...settingsOf(page.settings), contents);
}

async function build() {
  const page = JSON.parse(document.getElementById('data').textContent);
  document.title = page.title;
  headerOf(page);
  const main = document.getElementById('main');
  const drawn = [];
  for (const section of page.sections) {
    const part = element('section', '', { id: section.id, 'aria-labelledby': `${section.id}-title` });
    part.append(element('h2', section.title, { id: `${section.id}-title` }));
    const figures = element('div', '', { class: 'figures' });
    for (const figure of section.figures) figures.append(figureOf(figure, page.prefer, drawn));
    part.append(figures);
    main.append(part);
  }
  document.getElementById('footer').append(element('p', 'Made by alltold report. Numbers in CSV files are in seconds and bytes.'));
  for (const one of drawn) await one();
  document.documentElement.dataset.drawn = 'all';
}

build().catch((error) => {
  document.documentElement.dataset.drawn = 'failed';
  throw error;
});
