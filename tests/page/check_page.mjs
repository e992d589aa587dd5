// SPDX-License-Identifier: BSD-3-Clause
// node check_page.mjs CHROMIUM MODULES PAGE [SCREENSHOT-PREFIX]: opens the page at 1400 pixels, light,
// and at 400 pixels, dark; with a prefix the other two as well. Prints what is wrong and exits with status 1: errors of the console, requests to a
// network, charts whose marks are not their rows, text wider than the screen, tables that are missing on paper, and
// what axe-core calls serious or critical with all folds open.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const [program, modules, page, prefix] = process.argv.slice(2);
const wrong = [];

/** Runs in the page: how many marks each chart has, and how many rows its filters leave. */
function marksAndRows() {
  const quantity = {
    over_bound: 'over_bound', signature_times: 'time_s', signature_growth: 'over_lower', algorithms_size: 'time_s',
    algorithms_ranks: 'time_s', plogp: 'time_s',
  };
  const page_data = JSON.parse(document.getElementById('data').textContent);
  const figures = page_data.sections.flatMap((section) => section.figures);
  return figures.filter((figure) => figure.chart && figure.rows.length > 0).map((figure) => {
    const whole = document.getElementById(figure.id);
    const at = (key) => figure.columns.findIndex((column) => column.key === key);
    const texts = [...whole.querySelectorAll('select')].map((select) => [at(select.dataset.key), select.selectedIndex, select]);
    // What a select shows is text; its place among the values that the ones before it leave is exact.
    let rows = figure.rows;
    for (const [column, index] of texts) {
      const values = [...new Set(rows.map((row) => row[column]))];
      if (values.every((value) => typeof value === 'number')) values.sort((a, b) => a - b);
      rows = rows.filter((row) => row[column] === values[index]);
    }
    const y = at(quantity[figure.chart]);
    const expected = y < 0 ? rows.length : rows.filter((row) => row[y] > 0).length;
    const marks = whole.querySelectorAll('g.data_marks > path').length;
    const seen = [...whole.querySelectorAll('g.data_marks > path')].filter((path) => !/NaN|undefined/.test(path.getAttribute('transform') + path.getAttribute('d'))).length;
    return { id: figure.id, expected, marks, seen };
  });
}

async function changeEverySelect(browser) {
  return browser.value(`(async () => {
    for (const select of document.querySelectorAll('select')) {
      select.selectedIndex = select.options.length - 1;
      select.dispatchEvent(new Event('change'));
    }
    await new Promise((done) => setTimeout(done, 1500));
  })()`);
}

function checkMarks(charts, when) {
  if (charts.length === 0) wrong.push('the page has no charts');
  for (const { id, expected, marks, seen } of charts)
    if (expected === 0 || marks !== expected || seen !== expected)
      wrong.push(`${id} ${when}: ${marks} marks, ${seen} in their places, for ${expected} rows`);
}

/** Also those of saving charts. */
async function openEveryFold(browser) {
  return browser.value(`(async () => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    await new Promise((done) => setTimeout(done, 500));
  })()`);
}

/** Runs in the page: each figure's table, how many rows it should have, and how many are seen. */
function rowsSeen() {
  const page_data = JSON.parse(document.getElementById('data').textContent);
  const figures = page_data.sections.flatMap((section) => section.figures).filter((figure) => figure.rows.length > 0);
  return figures.map((figure) => ({
    id: figure.id,
    rows: figure.rows.length,
    seen: [...document.getElementById(figure.id).querySelectorAll(':scope > details tbody tr')]
      .filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length,
  }));
}

/** On paper, tables of up to 40 rows are there, whether they were folded or not; longer ones are not. */
async function checkPrint(browser, when, scheme) {
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  const folded = () => browser.value("[...document.querySelectorAll('figure > details')].filter((one) => !one.open).length");
  const before = await folded();
  await browser.send('Emulation.setEmulatedMedia', { media: 'print', features });
  await browser.value('new Promise((done) => setTimeout(done, 500))');
  for (const { id, rows, seen } of await browser.value(`(${rowsSeen})()`))
    if (seen !== (rows <= 40 ? rows : 0)) wrong.push(`${when}, printed: ${seen} of ${rows} rows of ${id}`);
  await browser.send('Emulation.setEmulatedMedia', { media: '', features });
  await browser.value('new Promise((done) => setTimeout(done, 500))');
  if (await folded() !== before) wrong.push(`${when}: printing unfolds tables for good`);
}

/** Rows of a table are made alike, and axe-core takes half a millisecond for each cell that is seen: the first ones will do. */
async function checkAccess(browser, when) {
  await browser.value("document.head.insertAdjacentHTML('beforeend', '<style id=first>tbody tr:nth-child(n + 7) { display: none }</style>')");
  const result = await browser.value(`axe.run(document, { resultTypes: ['violations'] }).then((all) => all.violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => one.id + ': ' + one.help + ' at ' + one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(', ')))`);
  await browser.value("document.getElementById('first').remove()");
  for (const text of result) wrong.push(`${when}: ${text}`);
}

async function look(browser, width, scheme) {
  const when = `${width} px, ${scheme}`;
  await browser.send('Emulation.setDeviceMetricsOverride', { width, height: 1000, deviceScaleFactor: 1, mobile: false });
  await browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  await browser.send('Page.navigate', { url: pathToFileURL(resolve(page)).href });
  const drawn = await browser.value(`new Promise((done) => {
    const until = Date.now() + 600000;
    (function look() {
      const state = document.documentElement?.dataset.drawn;
      if (state || Date.now() > until) done(state ?? 'not drawn');
      else setTimeout(look, 100);
    })();
  })`);
  if (drawn !== 'all') wrong.push(`${when}: drawing ${drawn}`);
  checkMarks(await browser.value(`(${marksAndRows})()`), when);
  const wider = await browser.value('document.documentElement.scrollWidth - window.innerWidth');
  if (wider > 0) wrong.push(`${when}: ${wider} pixels wider than the screen`);
  await browser.value(readFileSync(join(modules, 'node_modules/axe-core/axe.min.js'), 'utf8') + '; 0');
  await checkPrint(browser, when, scheme);
  await openEveryFold(browser);
  await checkAccess(browser, when);
  if (prefix) {
    const { cssContentSize } = await browser.send('Page.getLayoutMetrics');
    const { data } = await browser.send('Page.captureScreenshot', {
      captureBeyondViewport: true, clip: { x: 0, y: 0, width, height: Math.min(cssContentSize.height, 12000), scale: 1 },
    });
    writeFileSync(`${prefix}-${width}-${scheme}.png`, Buffer.from(data, 'base64'));
  }
  await changeEverySelect(browser);
  checkMarks(await browser.value(`(${marksAndRows})()`), `${when}, last of each selection`);
}

const browser = new Browser(program);
try {
  await browser.attach();
  browser.listeners.push(({ method, params }) => {
    if (method === 'Runtime.exceptionThrown') wrong.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      wrong.push(`console: ${params.args.map((one) => one.value ?? one.description).join(' ')}`);
    if (method === 'Log.entryAdded' && params.entry.level === 'error') wrong.push(`log: ${params.entry.text}`);
    if (method === 'Network.requestWillBeSent' && !/^(file|data|blob|about):/.test(params.request.url))
      wrong.push(`asks the network for ${params.request.url}`);
  });
  // Screenshots are of all four; both widths and both schemes are tested by two.
  await look(browser, 1400, 'light');
  await look(browser, 400, 'dark');
  if (prefix) {
    await look(browser, 400, 'light');
    await look(browser, 1400, 'dark');
  }
} finally {
  await browser.close();
}
for (const text of new Set(wrong)) console.log(text);
process.exit(wrong.length > 0 ? 1 : 0);
