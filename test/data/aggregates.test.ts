// Aggregates, grouping, and spreads that lift what is embedded into the row.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

type Case = readonly [path: string, rows: unknown];
const answers = (cases: readonly Case[]) =>
  test.each(cases)('%s', async (path, rows) => {
    expectReply(await api.get(path), { json: rows });
  });
/** Groups come in no order of their own. */
const anyOrder = (rows: readonly unknown[]): unknown => expect.arrayContaining([...rows]);

describe('spreads', () => {
  answers([
    [
      '/buoys?select=id,...ports(port:name,country)&order=id',
      [
        { id: 1, port: 'Aalborg', country: 'DK' },
        { id: 2, port: 'Aalborg', country: 'DK' },
        { id: 3, port: null, country: null },
      ],
    ],
    [
      '/licences?select=number,...captains(captain:name,...ships(ship:name))&order=captain_id',
      [
        { number: 'L-1', captain: 'Ada', ship: 'Albatross' },
        { number: 'L-2', captain: 'Bob', ship: 'Bonito' },
      ],
    ],
    [
      '/ships?select=id,crew:ship_sailors(rank,...sailors(name))&id=eq.1',
      [
        {
          id: 1,
          crew: [
            { rank: 'mate', name: 'Sven' },
            { rank: 'cook', name: 'Tove' },
          ],
        },
      ],
    ],
    ['/moorings?select=id,...berths(ports(name))&id=eq.1', [{ id: 1, ports: { name: 'Aalborg' } }]],
    // to many: arrays
    [
      '/ports?select=id,...buoys(buoy_ids:id,colours:colour)&order=id&limit=2',
      [
        { id: 1, buoy_ids: [1, 2], colours: ['red', 'green'] },
        { id: 2, buoy_ids: [], colours: [] },
      ],
    ],
    ['/ports?select=id,...buoys(colour)&buoys.order=colour&id=eq.1', [{ id: 1, colour: ['green', 'red'] }]],
    [
      '/ships?select=id,...sailors!ship_sailors(crew:name)&id=lte.3&order=id',
      [
        { id: 1, crew: ['Sven', 'Tove'] },
        { id: 2, crew: ['Tove'] },
        { id: 3, crew: ['Ulf'] },
      ],
    ],
    [
      '/ships?select=id,...ship_sailors(rank,...sailors(name))&id=eq.1',
      [{ id: 1, rank: ['mate', 'cook'], name: ['Sven', 'Tove'] }],
    ],
    ['/ports?select=id,...buoys(colour)&buoys.colour=eq.red&id=eq.1', [{ id: 1, colour: ['red'] }]],
    ['/ports?select=id,...fleet_at(ships:name)&id=eq.1', [{ id: 1, ships: ['Albatross', 'Bonito'] }]],
  ]);
});

describe('aggregates', () => {
  answers([
    ['/ships?select=count()', [{ count: 5 }]],
    ['/ships?select=tonnage.count()', [{ count: 4 }]],
    ['/ships?select=how_many:count()', [{ how_many: 5 }]],
    [
      '/ships?select=kind,count()&order=kind',
      [
        { kind: 'barge', count: 1 },
        { kind: 'clipper', count: 2 },
        { kind: 'tug', count: 2 },
      ],
    ],
    ['/cargo?select=kilos.sum()', [{ sum: 6650 }]],
    ['/cargo?select=kilos.sum(),kilos.max(),kilos.min(),n:count()', [{ sum: 6650, max: 4000, min: 250, n: 4 }]],
    [
      '/cargo?select=year,total:kilos.sum()&order=year',
      [
        { year: 2023, total: 2400 },
        { year: 2024, total: 4250 },
      ],
    ],
    ['/cargo?select=kilos.avg()::int', [{ avg: 1663 }]],
    ['/cargo?select=kilos.sum()::text', [{ sum: '6650' }]],
    ['/papers?select=doc->n::int.sum()&doc->n=not.is.null', [{ sum: 17 }]],
    ['/papers?select=top:doc->>n::int.max()&id=lt.3', [{ top: 12 }]],
    ['/cargo?select=kilos.sum()&kilos=gt.100000', [{ sum: null }]],
    ['/cargo?select=ship_id,kilos.sum()&year=eq.2023', [{ ship_id: 1, sum: 2400 }]],
    [
      '/cargo?select=ships(name),kilos.sum()',
      anyOrder([
        { ships: { name: 'Albatross' }, sum: 2400 },
        { ships: { name: 'Bonito' }, sum: 250 },
        { ships: { name: 'Cormorant' }, sum: 4000 },
      ]),
    ],
    [
      '/ships?select=id,cargo(kilos.sum())&order=id&limit=2',
      [
        { id: 1, cargo: [{ sum: 2400 }] },
        { id: 2, cargo: [{ sum: 250 }] },
      ],
    ],
    ['/ships?select=id,cargo(year,kilos.sum())&id=eq.1', [{ id: 1, cargo: [{ year: 2023, sum: 2400 }] }]],
    [
      '/ports?select=name,buoys(count())&order=id&limit=2',
      [
        { name: 'Aalborg', buoys: [{ count: 2 }] },
        { name: 'Bergen', buoys: [{ count: 0 }] },
      ],
    ],
    [
      '/ports?select=name,buoys(count)&order=id&limit=2',
      [
        { name: 'Aalborg', buoys: [{ count: 2 }] },
        { name: 'Bergen', buoys: [{ count: 0 }] },
      ],
    ],
    [
      '/cargo?select=kilos.sum(),...ships(kind)',
      anyOrder([
        { sum: 2400, kind: 'barge' },
        { sum: 250, kind: 'clipper' },
        { sum: 4000, kind: 'tug' },
      ]),
    ],
    [
      '/cargo?select=year,...ships(last:id.max())&order=year',
      [
        { year: 2023, last: 1 },
        { year: 2024, last: 3 },
      ],
    ],
    [
      '/cargo?select=...ships(n:tonnage.count(),home:ports!home_port_id(name))&id=gt.1',
      anyOrder([
        { n: 2, home: { name: 'Aalborg' } },
        { n: 1, home: { name: 'Bergen' } },
      ]),
    ],
    ['/captains?select=...ships(count())', [{ count: 2 }]],
    ['/licences?select=...captains(...ships(total:tonnage.count()))', [{ total: 2 }]],
    [
      '/rpc/all_ships?select=kind,count()&order=kind',
      [
        { kind: 'barge', count: 1 },
        { kind: 'clipper', count: 2 },
        { kind: 'tug', count: 2 },
      ],
    ],
  ]);

  test('are refused inside a to-many spread', async () => {
    expectReply(await api.get('/ports?select=id,...buoys(count())'), {
      status: 400,
      json: {
        code: 'PGRST127',
        message: 'Feature not implemented',
        details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
        hint: null,
      },
    });
  });
});
