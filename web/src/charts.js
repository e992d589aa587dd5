// SPDX-License-Identifier: BSD-3-Clause
// One Vega-Lite specification per kind of chart. The layer named "data" has one mark per row.
import { sizeLabel, timeLabel } from './format.js';

/** Of the MPI library's own choice, in every chart. */
const libraryColour = '#d9730d';
const palette = ['#3b82c4', libraryColour, '#2f9e5b', '#9a6dd7', '#e0524d', '#1f9aa8', '#d1569b', '#a8763e', '#858d96'];

/** A barrier moves no bytes, and 0 has no place on a logarithmic axis. */
const size = (values, title = 'm, size') => (values.some((row) => row.size_bytes === 0)
  ? { field: 'size_bytes', type: 'ordinal', title, axis: { labelExpr: sizeLabel, labelAngle: 0, grid: false } }
  : {
    field: 'size_bytes', type: 'quantitative', title, scale: { type: 'log', base: 2 },
    axis: { labelExpr: sizeLabel, labelOverlap: true, tickCount: 6, grid: false },
  });
const ranks = { field: 'ranks', type: 'quantitative', title: 'n, hosts', scale: { zero: false, nice: false, padding: 12 }, axis: { tickMinStep: 1, format: 'd' } };
/** Of an axis with powers of ten: labels at 1, 2 and 5, lines at 1. */
const leading = 'round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))';
const decades = (label) => ({
  labelExpr: `indexof([1, 2, 5], ${leading}) < 0 ? '' : ${label}`, labelOverlap: true,
  gridOpacity: { condition: { test: `${leading} === 1`, value: 1 }, value: 0 },
});
const time = (field, title = 'time') => ({
  field, type: 'quantitative', title, scale: { type: 'log' }, axis: decades(timeLabel),
});
const linear = (field, title) => ({ field, type: 'quantitative', title });
const colour = (field, more = {}) => ({
  field, type: 'nominal', scale: { range: palette }, legend: { orient: 'bottom', title: null, columns: { expr: 'max(1, floor(width / 190))' }, labelLimit: 180, symbolOpacity: 1 }, ...more,
});
const positive = (field) => `isValid(datum.${field}) && datum.${field} > 0`;

/** Layers of which no row would be left are left out: Vega warns of scales without values. */
const known = (row, ...fields) => fields.every((field) => row[field] !== null);

/** Intervals where they are known. */
const bars = (x, low, high, group) => ({
  keeps: (row) => known(row, low, high),
  transform: [{ filter: `isValid(datum.${low}) && isValid(datum.${high})` }],
  mark: { type: 'rule', strokeWidth: 1.5, opacity: 0.7 },
  encoding: { x, y: { field: low, type: 'quantitative' }, y2: { field: high }, color: group },
});

/** A mark per row: filled where the models were fitted to it, else hollow. */
const points = (encoding) => [
  { name: 'data', mark: { type: 'point', filled: false, size: 46, strokeWidth: 1.8 }, encoding },
  { keeps: (row) => !row.held_out, transform: [{ filter: '!datum.held_out' }], mark: { type: 'point', filled: true, size: 46, tooltip: false }, encoding: { ...encoding, tooltip: undefined } },
];

const tips = (figure) => figure.columns.map(({ key, title, unit }) => ({
  field: key, title, ...(unit === 's' || unit === 'ratio' || unit === 'share' ? { type: 'quantitative', format: '.4~g' } : { type: 'nominal' }),
}));

/** The library's times and those of the best of ours. */
const whose = () => colour('series', { scale: { domain: ['MPI library', 'best of alltold'], range: [libraryColour, '#3b82c4'] } });

function overBound(figure, values) {
  const x = size(values);
  const y = { field: 'over_bound', type: 'quantitative', title: 'time / bound', scale: { type: 'log' }, axis: decades("format(datum.value, '~g')") };
  const color = whose();
  return {
    y: 'over_bound',
    layer: [
      { data: { values: [{ one: 1 }] }, mark: { type: 'rule', strokeDash: [4, 3], stroke: 'currentColor' }, encoding: { y: { datum: 1 } } },
      { mark: { type: 'line', strokeWidth: 1.8 }, encoding: { x, y, color } },
      bars(x, 'over_bound_low', 'over_bound_high', color),
      ...points({ x, y, color, tooltip: tips(figure) }),
    ],
  };
}

function retransmitted(figure, values) {
  const x = size(values);
  const y = { ...linear('retransmitted', 'TCP segments retransmitted'), scale: { type: 'symlog' }, axis: { tickCount: 6 } };
  const color = whose();
  return {
    layer: [
      { mark: { type: 'line', strokeWidth: 1.8 }, encoding: { x, y, color } },
      ...points({ x, y, color, tooltip: tips(figure) }),
    ],
  };
}

function signatureTimes(figure, values) {
  const color = colour('series');
  const x = size(values, 'm, size per pair');
  return {
    y: 'time_s',
    layer: [
      { transform: [{ filter: "datum.series !== 'measured'" }], mark: { type: 'line', strokeWidth: 1.6 }, encoding: { x, y: time('time_s'), color } },
      bars(x, 'low_s', 'high_s', color),
      { name: 'data', mark: { type: 'point', filled: true }, encoding: { x, y: time('time_s'), color, size: { condition: { test: "datum.series === 'measured'", value: 60 }, value: 12 }, tooltip: tips(figure) } },
    ],
  };
}

function signatureGrowth(figure) {
  const color = { field: 'size_bytes', type: 'quantitative', title: 'm', scale: { type: 'log', base: 2, range: ['#8fc1ee', '#1a5fa3'] }, legend: { orient: 'bottom', labelExpr: sizeLabel, gradientLength: 180 } };
  const y = linear('over_lower', 'time / time without contention');
  return {
    y: 'over_lower',
    layer: [
      { mark: { type: 'line', strokeWidth: 1.2 }, encoding: { x: ranks, y, color, detail: { field: 'size_bytes' } } },
      ...points({ x: ranks, y, color, tooltip: tips(figure) }),
    ],
  };
}

function modelError(figure, x, color) {
  const y = { ...linear('error', 'predicted / measured - 1'), axis: { format: '.0%' } };
  return {
    y: 'error',
    layer: [
      { data: { values: [{ zero: 0 }] }, mark: { type: 'rule', strokeDash: [4, 3], stroke: 'currentColor' }, encoding: { y: { datum: 0 } } },
      ...points({ x, y, color, tooltip: tips(figure) }),
    ],
  };
}

function winnerMap(figure, values) {
  const columns = new Set(values.map((row) => row.size_bytes)).size;
  const most = Math.max(2, ...values.map((row) => row.gain ?? 1));
  const x = { field: 'size_bytes', type: 'ordinal', title: 'm, size', axis: { labelExpr: sizeLabel, labelAngle: -40, grid: false } };
  const y = { field: 'ranks', type: 'ordinal', title: 'n, hosts', sort: 'descending', axis: { grid: false } };
  return {
    rows: { key: 'ranks', height: 42 },
    layer: [
      {
        name: 'data', mark: { type: 'rect', invalid: null, stroke: 'var(--panel)', strokeWidth: 2 },
        encoding: {
          x, y, tooltip: tips(figure),
          color: {
            condition: { test: '!isValid(datum.gain)', value: '#6b737c' },
            field: 'gain', type: 'quantitative', title: 'gain', scale: { type: 'log', domain: [1, most], range: ['#dbe9f6', '#2f7fc4', '#0d3f75'], clamp: true },
            legend: { orient: 'bottom', format: '.2~g', gradientLength: 180, tickCount: 4 },
          },
        },
      },
      ...[
        { dy: -7, fontSize: 12, text: { condition: { test: 'isValid(datum.gain)', field: 'gain', type: 'quantitative', format: '.2f' }, value: 'not known' } },
        { dy: 8, fontSize: 10, text: { field: 'name' } },
      ].map(({ text, ...mark }) => ({
        transform: [{ calculate: "replace(split(datum.choice, ' ')[0], datum.collective + '.', '')", as: 'name' }],
        mark: { type: 'text', tooltip: false, limit: { expr: `width / ${columns} - 4` }, ...mark },
        encoding: { x, y, text, color: { condition: { test: 'isValid(datum.gain) && datum.gain < 1.6', value: '#0d2742' }, value: '#ffffff' } },
      })),
    ],
  };
}

function changes(figure, values) {
  const y = { ...linear('change', 'after / before - 1'), axis: { format: '.0%' } };
  const color = colour('clusters');
  return {
    layer: [
      { data: { values: [{ zero: 0 }] }, mark: { type: 'rule', strokeDash: [4, 3], stroke: 'currentColor' }, encoding: { y: { datum: 0 } } },
      ...points({ x: size(values), y, color, tooltip: tips(figure) }),
    ],
  };
}

/** A colour for each algorithm of the collective, the same in all charts and selections. */
function algorithmColours(figure, values) {
  const at = (key) => figure.columns.findIndex((column) => column.key === key);
  const [collective, algorithm] = [at('collective'), at('algorithm')];
  const names = (rows, name) => [...new Set(rows.map(name))].sort();
  const known = names(figure.rows.filter((row) => row[collective] === values[0]?.collective), (row) => row[algorithm]);
  const others = palette.filter((one) => one !== libraryColour);
  const ours = known.filter((name) => name !== 'mpi');
  const domain = names(values, (row) => row.algorithm);
  return { domain, range: domain.map((name) => (name === 'mpi' ? libraryColour : others[ours.indexOf(name) % others.length])) };
}

function algorithms(figure, values, x) {
  const color = colour('algorithm', { scale: algorithmColours(figure, values) });
  return {
    y: 'time_s',
    layer: [
      { mark: { type: 'line', strokeWidth: 1.5, opacity: 0.8 }, encoding: { x, y: { ...time('predicted_s'), aggregate: 'min' }, color } },
      bars(x, 'low_s', 'high_s', color),
      ...points({ x, y: time('time_s'), color, tooltip: tips(figure) }),
    ],
  };
}

function latencyMatrix(figure) {
  const many = figure.rows.length > 600;
  const axis = { grid: false, labelOverlap: true, labelAngle: 0 };
  return {
    rows: { key: 'from_rank', height: many ? 12 : 26 },
    layer: [{
      name: 'data', mark: { type: 'rect', invalid: null, stroke: 'var(--panel)', strokeWidth: 1 },
      encoding: {
        x: { field: 'to_rank', type: 'ordinal', title: 'to rank', axis }, y: { field: 'from_rank', type: 'ordinal', title: 'from rank', axis },
        color: {
          condition: { test: '!isValid(datum.time_s)', value: '#8b939c' },
          field: 'time_s', type: 'quantitative', title: 'one way', scale: { type: 'log', range: ['#dbe9f6', '#2f7fc4', '#0d3f75'] },
          legend: { orient: 'bottom', labelExpr: timeLabel, gradientLength: 180, tickCount: 3 },
        },
        tooltip: tips(figure),
      },
    }],
  };
}

function plogp(figure, values) {
  const x = size(values);
  const color = colour('curve');
  return {
    y: 'time_s',
    layer: [
      { mark: { type: 'line', strokeWidth: 1.5 }, encoding: { x, y: time('time_s'), color } },
      bars(x, 'low_s', 'high_s', color),
      ...points({ x, y: time('time_s'), color, tooltip: tips(figure) }),
    ],
  };
}

const kinds = {
  over_bound: overBound,
  retransmitted,
  signature_times: signatureTimes,
  signature_growth: signatureGrowth,
  signature_error_size: (figure, values) => modelError(figure, size(values, 'm, size per pair'), colour('ranks')),
  signature_error_ranks: (figure) => modelError(figure, ranks, { field: 'size_bytes', type: 'quantitative', title: 'm', scale: { type: 'log', base: 2, range: ['#8fc1ee', '#1a5fa3'] }, legend: { orient: 'bottom', labelExpr: sizeLabel, gradientLength: 180 } }),
  winner_map: winnerMap,
  algorithms_size: (figure, values) => algorithms(figure, values, size(values)),
  algorithms_ranks: (figure, values) => algorithms(figure, values, ranks),
  latency_matrix: latencyMatrix,
  changes,
  plogp,
};

const config = {
  background: 'transparent', aria: false,
  font: 'system-ui, sans-serif',
  view: { stroke: null },
  axis: { labelColor: 'currentColor', titleColor: 'currentColor', domainColor: 'currentColor', tickColor: 'currentColor', gridColor: 'var(--line)', titleFontWeight: 'normal', labelFontSize: 11, titleFontSize: 12 },
  legend: { labelColor: 'currentColor', titleColor: 'currentColor', titleFontWeight: 'normal', labelFontSize: 11 },
  text: { color: 'currentColor' },
};

/** The specification of `figure` for these of its rows, as objects. */
export function specification(figure, values) {
  const { y, rows, layer } = kinds[figure.chart](figure, values);
  const height = rows ? rows.height * new Set(values.map((one) => one[rows.key])).size : 280;
  const shown = y && figure.chart !== 'signature_error_size' && figure.chart !== 'signature_error_ranks' ? [{ filter: positive(y) }] : [];
  const layers = layer.filter(({ keeps }) => !keeps || values.some(keeps)).map(({ keeps, ...rest }) => rest);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    data: { name: 'values', values }, transform: shown,
    width: 'container', height, autosize: { type: 'fit-x', contains: 'padding' }, layer: layers, config,
  };
}
