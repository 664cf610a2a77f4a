const first = data.rows[0];
document.getElementById('about').textContent = 'Trace ' + first.trace + ', ' + number(first.requests) + ' requests'
  + (first.seeds > 1 ? ' (medians of ' + first.seeds + ' seeds)' : '')
  + '. Lower and further left is better: fewer requests that waited for a start, less memory of replicas without a request.';

const setting = (row) => row.knob ? row.value + ' ' + row.knob : '';
const policies = Object.keys(data.colors);
const singles = { Never: 'rect', Always: 'rect', Omniscient: 'diamond' };
// A logarithmic scale has no zero.
const points = (policy) => data.rows
  .filter((row) => row.policy === policy && row.wastedGbSeconds > 0 && row.coldRate > 0)
  .sort((a, b) => a.wastedGbSeconds - b.wastedGbSeconds)
  .map((row) => ({ value: [row.wastedGbSeconds, 100 * row.coldRate], row }));

draw({
  legend: { top: 0, icon: 'roundRect' },
  grid: { left: 75, right: 30, top: 45, bottom: 60 },
  tooltip: {
    formatter: ({ data: { row } }) => row.policy + (row.knob ? ', ' + setting(row) : '')
      + '<br>' + percent(row.coldRate, 3) + ' cold, ' + number(row.wastedGbSeconds) + ' GB·s wasted',
  },
  xAxis: { type: 'log', name: 'wasted memory, GB·s', nameLocation: 'middle', nameGap: 35 },
  yAxis: { type: 'log', name: 'requests that waited for a start, %', nameLocation: 'middle', nameGap: 55 },
  series: policies.map((policy) => ({
    type: 'line',
    name: policy,
    symbol: singles[policy] || 'circle',
    symbolSize: singles[policy] ? 12 : 7,
    itemStyle: { color: data.colors[policy] },
    lineStyle: { color: data.colors[policy], width: policy === 'Adaptive' ? 4 : 1.8 },
    z: policy === 'Adaptive' ? 5 : 2,
    data: points(policy),
  })).filter((series) => series.data.length > 0),
});

if (data.atEqualWaste.length > 0) {
  const at = (point) => Number(point.ratio).toFixed(2) + ' at ' + number(point.wastedGbSeconds) + ' GB·s';
  addTable('Cold rate of Adaptive, relative to each policy at equal wasted memory', [
    ['Policy', (row) => row.other],
    ['Better at', (row) => row.better + ' of ' + row.points.length],
    ['Equal at', (row) => row.equal],
    ['Worse at', (row) => row.worse],
    ['Best ratio', (row) => at(row.best)],
    ['Worst ratio', (row) => at(row.worst)],
  ], data.atEqualWaste);
}

addTable('All numbers', [
  ['Policy', (row) => row.policy],
  ['Setting', setting],
  ['Cold', (row) => percent(row.coldRate, 3)],
  ['Cold P75', (row) => percent(row.coldRateP75, 1)],
  ['Wasted GB·s', (row) => number(row.wastedGbSeconds)],
  ['All memory / busy', (row) => row.memoryRatio.toFixed(1)],
  ['Started ahead', (row) => number(row.preWarms)],
  ['Of them used', (row) => number(row.preWarmsUsed)],
  ['Wait, p99', (row) => row.waitP99.toFixed(3) + ' s'],
], data.rows);
