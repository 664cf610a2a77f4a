document.getElementById('about').textContent = 'Trace: ' + data.rows[0].trace;
addTable('All numbers', [
  ['Policy', (row) => row.policy],
  ['Cost / on demand', (row) => row.cost.toFixed(3)],
  ['Availability', (row) => percent(row.availability)],
  ['Nothing ready', (row) => percent(row.outage)],
  ['Failed', (row) => row.failedRequests.toFixed(0)],
  ['Requests', (row) => row.requests.toFixed(0)],
  ['Retried', (row) => row.retriedRequests.toFixed(0)],
  ['p99', (row) => row.p99Seconds.toFixed(1) + ' s'],
  ['On spot', (row) => percent(row.spotShare)],
  ['Interruptions', (row) => row.interruptions.toFixed(0)],
  ['Refused launches', (row) => row.refusedLaunches.toFixed(0)],
], data.rows);

// On a logarithmic scale, which has no zero: good policies differ in their last percent.
const below = (row) => Math.max(0.001, 100 * (1 - row.availability));
draw({
  grid: { left: 70, right: 120, top: 20, bottom: 60 },
  tooltip: { formatter: (point) => point.seriesName + ': cost ' + point.value[0].toFixed(3) + ', ' + point.value[1].toFixed(3) + ' % of the time below the target' },
  xAxis: { name: 'cost, relative to all on demand', nameLocation: 'middle', nameGap: 30, scale: true },
  yAxis: { type: 'log', inverse: true, name: 'time below the target, %', nameLocation: 'middle', nameGap: 50 },
  series: data.rows.map((row) => ({
    type: 'scatter',
    name: row.policy,
    symbolSize: 12,
    data: [[row.cost, below(row)]],
    label: { show: true, position: 'right', formatter: row.policy },
    labelLayout: { moveOverlap: 'shiftY' },
  })),
});
