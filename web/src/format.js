// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them.

function rounded(value) {
  return Number(value.toPrecision(3)).toString();
}

export function timeText(seconds) {
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  if (size < 1e-6) return `${rounded(seconds * 1e9)} ns`;
  if (size < 1e-3) return `${rounded(seconds * 1e6)} us`;
  if (size < 1) return `${rounded(seconds * 1e3)} ms`;
  return `${rounded(seconds)} s`;
}

export function sizeText(bytes) {
  for (const [unit, factor] of [['MiB', 1 << 20], ['KiB', 1 << 10]])
    if (bytes >= factor) return `${rounded(bytes / factor)} ${unit}`;
  return `${bytes} B`;
}

/** A cell of a table; '-' where the value is not known. */
export function cellText(value, unit) {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (unit === 's') return timeText(value);
  if (unit === 'B') return sizeText(value);
  if (unit === 'ratio') return value.toFixed(2);
  if (unit === 'share') return `${(100 * value).toFixed(1)} %`;
  return String(value);
}

/** Vega expressions for the labels of axes. */
export const timeLabel =
  "datum.value >= 1 ? format(datum.value, '~g') + ' s' : datum.value >= 1e-3 ? " +
  "format(datum.value * 1e3, '.3~g') + ' ms' : format(datum.value * 1e6, '.3~g') + ' us'";
export const sizeLabel =
  "datum.value >= 1048576 ? format(datum.value / 1048576, '.3~g') + ' MiB' : datum.value >= 1024 ? " +
  "format(datum.value / 1024, '.3~g') + ' KiB' : format(datum.value, '~g') + ' B'";
