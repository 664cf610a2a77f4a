'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const percent = (share, digits = 2) => (100 * share).toFixed(digits) + ' %';
const number = (value) => value.toLocaleString('en', { maximumSignificantDigits: 4 });

/** Adds a table; each column is its heading and the text of a row. */
const addTable = (heading, columns, rows) => {
  const section = document.getElementById('tables');
  const title = document.createElement('h2');
  title.textContent = heading;
  const scroll = document.createElement('div');
  scroll.className = 'scroll';
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', heading);
  const table = document.createElement('table');
  const line = (parent, texts, tag) => {
    const tr = parent.insertRow();
    texts.forEach((text) => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      tr.append(cell);
    });
  };
  line(table.createTHead(), columns.map(([name]) => name), 'th');
  const body = table.createTBody();
  rows.forEach((row) => line(body, columns.map(([, text]) => text(row)), 'td'));
  scroll.append(table);
  section.append(title, scroll);
};

/** Draws the chart, and again when the window's size or the colour scheme changes. */
const draw = (option) => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chart;
  const show = () => {
    chart?.dispose();
    chart = echarts.init(document.getElementById('chart'), dark.matches ? 'dark' : null, { renderer: 'svg' });
    chart.setOption({ backgroundColor: 'transparent', animation: false, ...option });
  };
  show();
  dark.addEventListener('change', show);
  addEventListener('resize', () => chart.resize());
};
