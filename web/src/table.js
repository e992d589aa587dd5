// SPDX-License-Identifier: BSD-3-Clause
// A figure's numbers as an HTML table and as CSV.
import { cellText } from './format.js';

/** Browsers lay out a few thousand rows at once, not a hundred thousand. */
const rowsAtOnce = 1000;
/** Tables of so many rows are printed, also where they are folded. */
const rowsPrinted = 40;
const printing = matchMedia('print');

function csvCell(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvText(figure) {
  const lines = [figure.columns.map((column) => csvCell(column.key))];
  for (const row of figure.rows) lines.push(row.map(csvCell));
  return lines.map((cells) => cells.join(',')).join('\r\n') + '\r\n';
}

function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function isNumber(column) {
  return column.unit !== '' || /rank|count|repetitions|step|source|destination|median|low|high/.test(column.key);
}

function addRows(body, figure, from) {
  for (const row of figure.rows.slice(from, from + rowsAtOnce)) {
    const line = body.insertRow();
    row.forEach((value, i) => {
      const cell = line.insertCell();
      cell.textContent = cellText(value, figure.columns[i].unit);
      if (isNumber(figure.columns[i])) cell.className = 'number';
    });
  }
}

function fill(scroll, figure) {
  const table = document.createElement('table');
  table.createCaption().textContent = figure.title;
  table.caption.hidden = true;
  const head = table.createTHead().insertRow();
  for (const column of figure.columns) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = column.title;
    if (isNumber(column)) cell.className = 'number';
    head.append(cell);
  }
  const body = table.createTBody();
  addRows(body, figure, 0);
  scroll.append(table);
  if (figure.rows.length > rowsAtOnce) {
    const more = document.createElement('button');
    more.type = 'button';
    const label = () => {
      more.textContent = `Show more rows (${body.rows.length} of ${figure.rows.length} shown)`;
      more.hidden = body.rows.length >= figure.rows.length;
    };
    more.addEventListener('click', () => {
      addRows(body, figure, body.rows.length);
      label();
    });
    label();
    scroll.append(more);
  }
}

/** The table, folded, and its CSV file. Rows are made when it is first opened. */
export function tableOf(figure) {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = `Table of ${figure.rows.length} ${figure.rows.length === 1 ? 'row' : 'rows'}`;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Save as CSV';
  button.setAttribute('aria-label', `Save as CSV: ${figure.title}`);
  button.addEventListener('click', () => save(`${figure.id}.csv`, csvText(figure)));
  const scroll = document.createElement('div');
  scroll.className = 'scroll';
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', `Table: ${figure.title}`);
  details.append(summary, button, scroll);
  const unfold = () => {
    if (!scroll.firstChild) fill(scroll, figure);
    details.open = true;
  };
  details.addEventListener('toggle', () => {
    if (details.open) unfold();
  });
  if (figure.rows.length <= rowsPrinted) {
    details.classList.add('stays');
    if (!figure.chart && !figure.svg) unfold();
    let folded = false;
    printing.addEventListener('change', ({ matches }) => {
      if (matches) {
        folded = !details.open;
        unfold();
      } else if (folded) details.open = false;
    });
  }
  return details;
}
