'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const json = id => JSON.parse($(id).textContent);
  const KINDS = [
    ['use', 'Use', null],
    ['idle', 'Idle', {dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4}],
    ['cold-start', 'Cold start', {symbol: 'circle', symbolSize: 0.5, dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0]}],
    ['over-provision', 'Over-provision', {dashArrayX: [1, 0], dashArrayY: [2, 5]}],
    ['interruption', 'Interruption', {dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4}],
    ['overhead', 'Overhead', {dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 2}],
  ];
  const QUALITIES = {
    MEASURED: 'on a bill or in a quote for that hour',
    HISTORY: 'published for that time',
    DERIVED: 'computed from other prices',
    DEFAULT: 'a list price or an average, assumed to hold at other times too',
    DECLARED: 'stated by the user',
    ASSUMED: 'of a reference machine, for one without a price of its own',
  };
  const NOTICES = {
    DAMAGE: 'Usage that could not be read is not in this report',
    MISSING_PRICE: 'Without a price, and left out of the sums',
    FAULT: 'Rows of usage that contradict others',
  };
  const charts = new Map();
  let data = json('data');
  let zone = 'UTC';

  // Texts of users go into text nodes only, never into HTML.
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null) element.setAttribute(name, value);
    }
    element.append(...children.flat().filter(child => child !== null));
    return element;
  }

  const color = name => {
    const probe = document.body.appendChild(el('i'));
    probe.style.color = `var(--${name})`;
    const rgb = getComputedStyle(probe).color;
    probe.remove();
    return rgb;
  };
  const count = value => value.toLocaleString('en');
  const percent = share => (100 * share).toFixed(1) + ' %';

  function dollars(value, digits) {
    const text = Math.abs(value).toFixed(digits).replace(/\B(?=(\d{3})+(?=\.))/g, ',');
    return (value < 0 ? '\u2212$' : '$') + text;
  }

  /** Cents, of less than a dollar hundredths of them. */
  function usd(value) {
    const size = Math.abs(value);
    if (size > 0 && size < 0.00005) return '<$0.0001';
    return dollars(value, size === 0 || size >= 0.99995 ? 2 : 4);
  }

  /** Four digits, or cents of what has more, as small as a price of one request. */
  const price = value => dollars(value, value === 0 ? 2 : Math.min(12, Math.max(2, 3 - Math.floor(Math.log10(value)))))
    .replace(/(\.\d\d\d*?)0+$/, '$1');

  const signed = value => Math.abs(value) < 0.00005 ? '\u2248 $0' : (value > 0 ? '+' : '') + usd(value);

  function date(time, options) {
    return new Intl.DateTimeFormat('en-GB', {timeZone: zone, ...options}).format(new Date(time));
  }

  function label(time) {
    if (data.bars.step === 'HOUR') return time.slice(11, 16);
    return new Intl.DateTimeFormat('en-GB', {timeZone: 'UTC', day: 'numeric', month: 'short'}).format(new Date(time));
  }

  /** Columns are [title, is it a number]; a cell is a text or a node; the first of a row is its heading. */
  function table(columns, rows, options = {}) {
    const cell = (content, i) => i === 0
      ? el('th', {scope: 'row', role: 'rowheader'}, content)
      : el('td', {class: columns[i][1] ? 'number' : null, 'data-label': columns[i][0], role: 'cell'}, content);
    const row = cells => el('tr', {role: 'row'}, cells.map(cell));
    // Roles are said, since the cards of narrow screens are no table by their layout.
    return el('table', {class: options.cards ? 'cards' : null, role: 'table'},
      el('caption', {class: 'hidden'}, options.caption || ''),
      el('thead', {role: 'rowgroup'}, el('tr', {role: 'row'}, columns.map(([title, number]) =>
        el('th', {scope: 'col', role: 'columnheader', class: number ? 'number' : null}, title)))),
      el('tbody', {role: 'rowgroup'}, rows.map(row)),
      options.total ? el('tfoot', {role: 'rowgroup'}, row(options.total)) : null);
  }

  function draw(id, option) {
    if (!charts.has(id)) charts.set(id, echarts.init($(id), null, {renderer: 'svg'}));
    charts.get(id).setOption({
      animation: false,
      aria: {enabled: true},
      textStyle: {fontFamily: getComputedStyle(document.body).fontFamily, color: color('ink')},
      ...option,
    }, true);
  }

  const axisText = () => ({color: color('soft'), fontSize: 12});
  const valueAxis = () => ({
    type: 'value',
    axisLabel: {...axisText(), formatter: value => usd(value).replace(/\.00$/, ''), hideOverlap: true},
    splitNumber: 4,
    splitLine: {lineStyle: {color: color('line')}},
  });
  const categoryAxis = names => ({
    type: 'category',
    data: names,
    axisLabel: axisText(),
    axisTick: {show: false},
    axisLine: {lineStyle: {color: color('soft')}},
  });
  /** Bars with their dollars beside them need no room at the right of the longest one. */
  const lying = (names, top) => ({
    grid: {left: 4, right: 64, top, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel'},
    xAxis: {...valueAxis(), max: 'dataMax', splitNumber: innerWidth < 700 ? 2 : 5, axisLabel: {...valueAxis().axisLabel, showMaxLabel: false}},
    yAxis: {...categoryAxis(names), inverse: true, axisLine: {show: false}},
  });
  const legend = names => ({data: names, left: 0, top: 0, itemWidth: 14, itemHeight: 14, textStyle: {color: color('ink')}});

  /** @param lines of a data index: pairs of name and dollars */
  const tooltip = (title, lines) => ({
    trigger: 'axis',
    confine: true,
    axisPointer: {type: 'shadow'},
    backgroundColor: color('surface'),
    borderColor: color('soft'),
    textStyle: {color: color('ink')},
    formatter: points => el('div', {class: 'tip'}, el('b', {}, title(points[0].dataIndex)),
      lines(points[0].dataIndex).map(([name, text]) => el('div', {}, `${name}: ${text}`))),
  });

  const patterned = (name, decal) => ({
    color: color(name),
    borderColor: color('surface'),
    borderWidth: 0.5,
    decal: decal ? {...decal, color: 'rgba(255,255,255,.38)'} : undefined,
  });

  function capacities() {
    const styles = {spot: ['use', KINDS[0][2]], 'on-demand': ['over-provision', KINDS[1][2]]};
    return data.bars.groups.map(group => ({...group, style: patterned(...(styles[group.name] || ['idle', KINDS[2][2]]))}));
  }

  function drawTime() {
    const groups = capacities();
    const times = data.bars.times;
    const sum = i => groups.reduce((all, group) => all + group.usd[i], 0);
    const lines = i => [...groups.map(group => [group.name, usd(group.usd[i])]), ['total', usd(sum(i))]];
    $('h-time').textContent = `Cost by ${data.bars.step.toLowerCase()} and capacity type`;
    draw('time', {
      grid: {left: 4, right: 8, top: 36, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel'},
      legend: legend(groups.map(group => group.name)),
      tooltip: tooltip(i => times[i].replace('T', ' '), lines),
      xAxis: {...categoryAxis(times), axisLabel: {...axisText(), formatter: label, hideOverlap: true}},
      yAxis: valueAxis(),
      series: groups.map(group => ({
        name: group.name, type: 'bar', stack: 'all', data: group.usd, itemStyle: group.style, barCategoryGap: '18%', barMaxWidth: 44,
      })),
    });
    $('time-table').replaceChildren(table(
      [[data.bars.step === 'DAY' ? 'Day' : 'Hour'], ...groups.map(group => [group.name, true]), ['Total', true]],
      times.map((time, i) => [time.replace('T', ' '), ...groups.map(group => usd(group.usd[i])), usd(sum(i))])));
  }

  const scenario = id => data.scenarios.find(one => one.id === id);

  function drawSaved() {
    const before = scenario('ALL_ON_DEMAND');
    const after = scenario('AS_IT_RAN');
    if (!before || before.missing.length || after.missing.length) {
      charts.get('saved')?.dispose();
      charts.delete('saved');
      $('saved').replaceChildren(el('p', {class: 'notice'}, before
        ? 'Not drawn: prices are missing, so what was saved is not known.' : 'Not drawn: all on demand is not among the scenarios.'));
      return;
    }
    const steps = KINDS.map(([, name], i) => [name, after.split[i] - before.split[i]]).filter(step => step[1] !== 0);
    let level = before.usd;
    const bars = [[before.name, 0, before.usd, null], ...steps.map(([name, change]) => {
      level += change;
      return [name, Math.min(level, level - change), Math.abs(change), change];
    }), [after.name, 0, after.usd, null]];
    const text = ([, , size, change]) => change === null ? usd(size) : signed(change);
    const part = (name, style, wanted) => ({
      name, type: 'bar', stack: 'all', itemStyle: style, barCategoryGap: '30%',
      data: bars.map(bar => wanted(bar[3]) ? bar[2] : null),
      label: {show: true, position: 'right', color: color('ink'), formatter: point => text(bars[point.dataIndex])},
    });
    draw('saved', {
      ...lying(bars.map(bar => bar[0]), 36),
      legend: {...legend(['saved', 'added']), selectedMode: false},
      tooltip: tooltip(i => bars[i][0], i => [[bars[i][3] === null ? 'cost' : 'change', text(bars[i])]]),
      series: [
        {name: 'base', type: 'bar', stack: 'all', silent: true, itemStyle: {color: 'transparent'}, data: bars.map(bar => bar[1])},
        part('cost', {color: color('soft')}, change => change === null),
        part('saved', patterned('use', null), change => change < 0),
        part('added', patterned('interruption', KINDS[4][2]), change => change > 0),
      ],
    });
    $('saved-table').replaceChildren(table([['Part'], ['Dollars', true]], bars.map(bar => [bar[0], text(bar)])));
  }

  function drawSplit() {
    const ran = scenario('AS_IT_RAN');
    const most = Math.max(...ran.split);
    $('split').replaceChildren(table([['Part'], [''], ['Cost', true], ['Share', true]], KINDS.map(([kind, name], i) => {
      const bar = el('i');
      bar.style.cssText = `width:${most ? 100 * ran.split[i] / most : 0}%;background:var(--${kind})`;
      return [name, el('div', {class: 'bar', 'aria-hidden': 'true'}, bar), usd(ran.split[i]),
        ran.usd ? percent(ran.split[i] / ran.usd) : '\u2013'];
    }), {total: ['Total', '', usd(ran.usd), '']}));
  }

  function drawScenarios() {
    const all = data.scenarios;
    const ran = scenario('AS_IT_RAN');
    const total = one => one.missing.length ? (one.usd ? `incomplete: ${usd(one.usd)}` : 'no price') : usd(one.usd);
    const withoutFree = one => one.freeTierUsd ? ` (${usd(one.usd + one.freeTierUsd)} without the free tier)` : '';
    const against = one => one.missing.length || ran.missing.length || !ran.usd || one === ran
      ? '\u2013' : (one.usd < ran.usd ? '\u2212' : '+') + percent(Math.abs(one.usd / ran.usd - 1));
    const kinds = KINDS.map((kind, i) => [...kind, i]).filter(([, , , i]) => all.some(one => one.split[i]));
    draw('scenarios', {
      ...lying(all.map(one => one.name), innerWidth < 700 ? 62 : 36),
      legend: legend(kinds.map(([, name]) => name)),
      tooltip: tooltip(i => all[i].name, i => [...kinds.map(([, name, , k]) => [name, usd(all[i].split[k])]), ['total', total(all[i])]]),
      series: [
        ...kinds.map(([kind, name, decal, k]) => ({
          name, type: 'bar', stack: 'all', barCategoryGap: '28%', itemStyle: patterned(kind, decal), data: all.map(one => one.split[k]),
        })),
        {
          name: 'total', type: 'bar', stack: 'all', silent: true, itemStyle: {color: 'transparent'}, data: all.map(() => 0),
          label: {show: true, position: 'right', color: color('ink'), formatter: point => total(all[point.dataIndex])},
        },
      ],
    });
    $('breakevens').replaceChildren(...all.flatMap(one => one.breakEvens.map(text => el('li', {}, `${one.name}: ${text}`))));
    $('scenarios-table').replaceChildren(table(
      [['Scenario'], ['Total', true], ['Against as it ran', true], ...kinds.map(([, name]) => [name, true]), ['Missing prices']],
      all.map(one => [one.name, total(one) + withoutFree(one), against(one), ...kinds.map(([, , , k]) => usd(one.split[k])), one.missing.join('; ')])));
  }

  const amount = cost => cost.usd === undefined ? 'no price' : usd(cost.usd) + (cost.missing ? ' (incomplete)' : '');
  const saved = row => row.saved ? usd(row.saved.usd) + (row.saved.share === undefined ? '' : ` (${percent(row.saved.share)})`) : '\u2013';

  const priceOrDash = usd => usd === undefined ? '\u2013' : price(usd);

  /** Names of the list prices that tokens are compared with; undefined if no function has tokens. */
  const listPrices = () => data.rows.find(row => row.tokens)?.tokens.atListPrices.map(other => other.name);

  function tokenCells(row) {
    const names = listPrices();
    if (!names) return [];
    return [priceOrDash(row.tokens?.usdPerMillion), ...names.map((_, i) => priceOrDash(row.tokens?.atListPrices[i].usdPerMillion))];
  }

  function functionRow(row, spark) {
    return [row.group, amount(row.cost), spark, count(row.requests.ok), priceOrDash(row.usdPerThousandRequests), ...tokenCells(row),
      row.otherScenarios.allOnDemand ? amount(row.otherScenarios.allOnDemand) : '\u2013', saved(row)];
  }

  function drawFunctions() {
    const sparks = data.rows.map((row, i) => el('div', {
      class: 'spark', id: `spark-${i}`, role: 'img', 'aria-label': `from ${usd(data.lines[i][0])} to ${usd(data.lines[i].at(-1))}, at most ${usd(Math.max(...data.lines[i]))}`,
    }));
    for (const id of [...charts.keys()].filter(id => id.startsWith('spark-'))) {
      charts.get(id).dispose();
      charts.delete(id);
    }
    $('functions-table').replaceChildren(table(
      [['Function'], ['Cost', true], ['Over time'], ['Requests', true], ['$ per 1,000', true],
        ...(listPrices() ? ['$ per million tokens', ...listPrices().map(name => `At ${name}`)].map(name => [name, true]) : []), ['On demand', true], ['Saved', true]],
      data.rows.map((row, i) => functionRow(row, sparks[i])),
      {cards: true, total: functionRow({...data.total, group: 'Total'}, '')}));
    data.rows.forEach((row, i) => draw(`spark-${i}`, {
      aria: {enabled: false},
      grid: {left: 2, right: 2, top: 3, bottom: 2},
      xAxis: {type: 'category', show: false, boundaryGap: false},
      yAxis: {type: 'value', show: false, min: 0},
      series: [{
        type: 'line', data: data.lines[i], symbol: 'none', silent: true,
        lineStyle: {color: color('use'), width: 1.5}, areaStyle: {color: color('use'), opacity: 0.18},
      }],
    }));
  }

  /** Rows of [name, dollars by hour]: days, or the means of weekdays where there are too many days to see. */
  function hourRows() {
    if (data.days.length <= 35) {
      return data.days.map(day => [date(day.date + 'T12:00Z', {timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short'}).replace(',', ''), day.usd]);
    }
    return ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((name, i) => {
      const days = data.days.filter(day => (new Date(day.date).getUTCDay() + 6) % 7 === i).map(day => day.usd);
      return [name, [...Array(24).keys()].map(hour => {
        const known = days.map(day => day[hour]).filter(value => value !== null);
        return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
      })];
    });
  }

  function drawHours() {
    const rows = hourRows();
    const known = rows.flatMap(row => row[1]).filter(value => value !== null);
    const least = Math.min(...known);
    const step = (Math.max(...known) - least) / 6;
    const level = value => step ? Math.min(5, Math.floor((value - least) / step)) : 0;
    const cell = value => value === null ? el('td', {}, el('span', {class: 'hidden'}, 'not in the period'))
      : el('td', {class: `h${level(value)}`, title: usd(value)}, el('span', {class: 'hidden'}, usd(value)));
    const hours = [...Array(24).keys()];
    $('hours-hint').textContent = (data.days.length > 35 ? 'Mean cost of an hour, by weekday' : 'Cost of each hour, by day') + `, in the time zone ${zone}.`;
    $('hours').replaceChildren(
      el('table', {}, el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, data.days.length > 35 ? 'Weekday' : 'Day'), hours.map(hour =>
        el('th', {scope: 'col'}, hour % 3 ? el('span', {class: 'hidden'}, `${hour}`) : `${hour}`)))),
      el('tbody', {}, rows.map(([name, values]) => el('tr', {}, el('th', {scope: 'row'}, name), values.map(cell))))),
      el('p', {class: 'legend', 'aria-hidden': 'true'}, [0, 1, 2, 3, 4, 5].map(i =>
        el('span', {}, el('i', {class: `swatch h${i}`}), `${usd(least + step * i)} to ${usd(least + step * (i + 1))}`))));
  }

  function notes(wanted) {
    return data.notes.filter(wanted).map(note => {
      const more = note.moreSubjects ? `, and ${count(note.moreSubjects)} more` : '';
      const about = note.subjects.length ? `: ${note.subjects.join(', ')}${more}` : '';
      const all = note.scenarios.length === 0 || note.scenarios.length === data.scenarios.length;
      return el('li', {}, note.text + about, all ? '' : ` (${note.scenarios.join(', ')})`);
    });
  }

  function drawNotes() {
    const more = data.moreNotes ? [el('li', {}, `And ${count(data.moreNotes)} more notes.`)] : [];
    const offered = note => note.kind === 'MISSING_PRICE' && !note.scenarios.includes(scenario('AS_IT_RAN').name);
    $('assumptions').replaceChildren(...notes(note => note.kind === 'ASSUMPTION'), ...more);
    $('incomplete').replaceChildren(...notes(offered));
    $('h-assumptions').parentElement.hidden = !$('assumptions').childElementCount;
    $('notices').replaceChildren(...Object.entries(NOTICES).flatMap(([kind, title]) => {
      const items = notes(note => note.kind === kind && !offered(note));
      return items.length ? [el('div', {class: 'notice', role: 'note'}, el('h2', {}, title), el('ul', {}, items))] : [];
    }));
  }

  function drawPrices() {
    const used = Object.entries(QUALITIES).filter(([quality]) => data.prices.some(price => price.quality === quality));
    const badge = quality => el('span', {class: `badge ${quality}`}, quality.toLowerCase());
    $('qualities').replaceChildren(...used.map(([quality, meaning]) => el('div', {}, el('dt', {}, badge(quality)), el('dd', {}, meaning))));
    const range = one => one.changes ? `${price(one.lowestUsd)} \u2013 ${price(one.highestUsd)}` : price(one.lowestUsd);
    $('prices').replaceChildren(table(
      [['Price of'], ['Dollars', true], ['Quality'], ['Source'], ['Retrieved'], ['Used in']],
      data.prices.map(one => [one.subject, range(one), badge(one.quality), one.source, el('span', {class: 'date'}, one.retrieved.slice(0, 10)), one.scenarios.join(', ')]),
      {cards: true}));
    if (data.morePrices) $('prices').append(el('p', {class: 'hint'}, `And ${count(data.morePrices)} more prices; the JSON report has them all.`));
  }

  function drawTiles() {
    const total = data.total;
    const idle = scenario('AS_IT_RAN').split[1];
    const ok = total.requests.ok;
    const tile = (name, value, detail) => el('div', {}, el('dt', {}, name), el('dd', {}, value), el('dd', {}, detail));
    $('tiles').replaceChildren(
      tile('Cost as it ran', amount(total.cost), `${count(Math.round(total.replicaSeconds / 36) / 100)} replica hours`),
      tile('Saved against on demand', total.saved ? usd(total.saved.usd) : 'not known',
        total.saved ? (total.saved.share === undefined ? '' : `${percent(total.saved.share)} of ${amount(total.otherScenarios.allOnDemand)}`) : 'prices are missing'),
      tile('Per 1,000 requests', total.usdPerThousandRequests === undefined ? '\u2013' : price(total.usdPerThousandRequests),
        `${count(ok)} requests, ${count(total.requests.failed)} failed`),
      tile('Idle', usd(idle), total.cost.usd ? `${percent(idle / total.cost.usd)} of the cost` : ''));
  }

  function drawHeader() {
    const long = {day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit'};
    $('period').textContent = `${date(data.period.from, long)} \u2013 ${date(data.period.until, long)} (${zone}); usage read ${date(data.period.readAt, long)}`;
  }

  function drawCharts() {
    [drawTime, drawSaved, drawScenarios, drawFunctions].forEach(one => one());
  }

  function drawAll() {
    zone = data.timeZone === 'Z' ? 'UTC' : data.timeZone;
    [drawHeader, drawNotes, drawTiles, drawSplit, drawHours, drawPrices, drawCharts].forEach(one => one());
  }

  const isDark = () => getComputedStyle(document.documentElement).colorScheme === 'dark'
    || (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);

  function theme(name) {
    if (name) document.documentElement.dataset.theme = name;
    $('theme').textContent = isDark() ? 'Light' : 'Dark';
    if (data) drawCharts();
  }

  /** @param size of the chart with an id; if absent, that of its element */
  function resize(size) {
    charts.forEach((chart, id) => {
      chart.resize(size && !id.startsWith('spark-') ? size(id) : undefined);
      // Paper does not wait for the next frame.
      chart.getZr().flush();
    });
  }

  async function reload(path) {
    if (document.hidden && data) return;
    try {
      const answer = await fetch(path + location.search.replace('?', '&'), {cache: 'no-store'});
      const body = await answer.json();
      if (!answer.ok) throw new Error(body.detail || `the server answered ${answer.status}`);
      data = body;
      drawAll();
      $('status').textContent = `Updated ${new Date().toLocaleTimeString('en-GB')}`;
    } catch (problem) {
      $('status').textContent = `Not updated: ${problem.message}`;
    }
  }

  function live(how) {
    $('choose').hidden = false;
    $('from').value = new URLSearchParams(location.search).get('from') || '-24h';
    $('tz').value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    $('status').textContent = 'Loading';
    reload(how.path);
    setInterval(() => reload(how.path), 1000 * how.seconds);
  }

  const how = json('reload');
  if (data) drawAll();
  if (how) live(how);
  $('theme').textContent = isDark() ? 'Light' : 'Dark';
  $('theme').onclick = () => theme(isDark() ? 'light' : 'dark');
  $('print').onclick = () => print();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme());
  addEventListener('resize', () => resize());
  let before;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    theme('light');
    // In CSS pixels: A4 less its margins; one chart shares its line with a table.
    resize(id => id === 'saved' ? {width: 300, height: 230} : {width: 640, height: id === 'time' ? 230 : 290});
  });
  addEventListener('afterprint', () => {
    if (before) document.documentElement.dataset.theme = before;
    else delete document.documentElement.dataset.theme;
    theme();
    resize();
  });
})();
