// Related rows in one answer: every kind of relationship, hints, joins, filters on embeds, spreads and aggregates.

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
const ids = (...numbers: number[]) => numbers.map((id) => ({ id }));

describe('kinds of relationship', () => {
  answers([
    // to one, to many
    [
      '/buoys?select=id,ports(name)&order=id',
      [
        { id: 1, ports: { name: 'Aalborg' } },
        { id: 2, ports: { name: 'Aalborg' } },
        { id: 3, ports: null },
      ],
    ],
    [
      '/ports?select=id,buoys(id)&order=id&id=lte.2',
      [
        { id: 1, buoys: ids(1, 2) },
        { id: 2, buoys: [] },
      ],
    ],
    ['/ports?select=id,marks:buoys(id)&id=eq.1', [{ id: 1, marks: ids(1, 2) }]],
    // one to one: from a unique key and from a primary key, both ways
    [
      '/captains?select=name,ships(name)&order=id',
      [
        { name: 'Ada', ships: { name: 'Albatross' } },
        { name: 'Bob', ships: { name: 'Bonito' } },
        { name: 'Cy', ships: null },
      ],
    ],
    [
      '/ships?select=id,captains(name)&order=id&id=lte.3',
      [
        { id: 1, captains: { name: 'Ada' } },
        { id: 2, captains: { name: 'Bob' } },
        { id: 3, captains: null },
      ],
    ],
    [
      '/captains?select=id,licences(number)&order=id',
      [
        { id: 1, licences: { number: 'L-1' } },
        { id: 2, licences: { number: 'L-2' } },
        { id: 3, licences: null },
      ],
    ],
    [
      '/licences?select=number,captains(name)&order=captain_id',
      [
        { number: 'L-1', captains: { name: 'Ada' } },
        { number: 'L-2', captains: { name: 'Bob' } },
      ],
    ],
    // several foreign keys between two tables, told apart by column or constraint
    [
      '/ships?select=id,home:ports!home_port_id(name),yard:ports!built_at(name)&id=eq.1',
      [{ id: 1, home: { name: 'Aalborg' }, yard: { name: 'Bergen' } }],
    ],
    [
      '/ships?select=id,home:ports!ships_home_port_id_fkey(name),yard:ports!ships_built_at_fkey(name)&id=eq.1',
      [{ id: 1, home: { name: 'Aalborg' }, yard: { name: 'Bergen' } }],
    ],
    [
      '/ships?select=id,home_port_id(name),ships_built_at_fkey(name)&id=eq.1',
      [{ id: 1, home_port_id: { name: 'Aalborg' }, ships_built_at_fkey: { name: 'Bergen' } }],
    ],
    ['/ports?select=id,ships!built_at(id)&id=eq.1', [{ id: 1, ships: ids(2, 3) }]],
    ['/ports?select=id,ships!ships_home_port_id_fkey(id)&id=eq.1', [{ id: 1, ships: ids(1, 2) }]],
    // many to many
    [
      '/ships?select=id,sailors!ship_sailors(name)&id=lte.2&order=id',
      [
        { id: 1, sailors: [{ name: 'Sven' }, { name: 'Tove' }] },
        { id: 2, sailors: [{ name: 'Tove' }] },
      ],
    ],
    [
      '/sailors?select=name,ships!ship_pensioners(id)&order=id',
      [
        { name: 'Sven', ships: ids(4) },
        { name: 'Tove', ships: [] },
        { name: 'Ulf', ships: ids(1) },
      ],
    ],
    [
      '/ships?select=id,crew:ship_sailors(rank,sailors(name))&id=eq.1',
      [
        {
          id: 1,
          crew: [
            { rank: 'mate', sailors: { name: 'Sven' } },
            { rank: 'cook', sailors: { name: 'Tove' } },
          ],
        },
      ],
    ],
    // composite keys
    [
      '/moorings?select=id,berths(number,length_m)&order=id',
      [
        { id: 1, berths: { number: 1, length_m: 50 } },
        { id: 2, berths: { number: 2, length_m: 80 } },
        { id: 3, berths: { number: 1, length_m: 120 } },
        { id: 4, berths: { number: 1, length_m: 120 } },
      ],
    ],
    ['/berths?select=number,moorings(id)&port_id=eq.2', [{ number: 1, moorings: ids(3, 4) }]],
    ['/moorings?select=id,moorings_berth_fkey(number)&id=eq.1', [{ id: 1, moorings_berth_fkey: { number: 1 } }]],
    // a table with itself
    [
      '/offices?select=name,parent:parent_id(name)&order=id',
      [
        { name: 'Head', parent: null },
        { name: 'North', parent: { name: 'Head' } },
        { name: 'South', parent: { name: 'Head' } },
        { name: 'Far North', parent: { name: 'North' } },
      ],
    ],
    ['/offices?select=name,below:offices!parent_id(name)&id=eq.2', [{ name: 'North', below: [{ name: 'Far North' }] }]],
    [
      '/offices?select=name,children:offices!parent_id(name)&id=eq.1',
      [{ name: 'Head', children: [{ name: 'North' }, { name: 'South' }] }],
    ],
    [
      '/offices?select=name,parent:parent_id(name,parent:parent_id(name))&id=eq.4',
      [{ name: 'Far North', parent: { name: 'North', parent: { name: 'Head' } } }],
    ],
    ['/ships?select=id,tows:tows_id(id),towed:ships!tows_id(id)&id=eq.2', [{ id: 2, tows: { id: 1 }, towed: ids(4) }]],
    // partitioned tables
    [
      '/cargo?select=what,ships(name)&order=id&limit=2',
      [
        { what: 'grain', ships: { name: 'Albatross' } },
        { what: 'coal', ships: { name: 'Albatross' } },
      ],
    ],
    ['/ships?select=id,cargo(what)&id=eq.1', [{ id: 1, cargo: [{ what: 'grain' }, { what: 'coal' }] }]],
  ]);
});

describe('through views', () => {
  answers([
    [
      '/fleet?select=id,ports(name)&id=lte.2&order=id',
      [
        { id: 1, ports: { name: 'Aalborg' } },
        { id: 2, ports: { name: 'Aalborg' } },
      ],
    ],
    ['/fleet_of_fleet?select=id,port_names(name)&id=eq.1', [{ id: 1, port_names: { name: 'Aalborg' } }]],
    ['/port_names?select=name,fleet(id)&id=eq.1', [{ name: 'Aalborg', fleet: ids(1, 2) }]],
    [
      '/fleet?select=id,captains(name)&id=lte.2&order=id',
      [
        { id: 1, captains: { name: 'Ada' } },
        { id: 2, captains: { name: 'Bob' } },
      ],
    ],
    ['/fleet?select=id,cargo(what)&id=eq.2', [{ id: 2, cargo: [{ what: 'tea' }] }]],
    ['/fleet?select=id,port_id(name)&id=eq.1', [{ id: 1, port_id: { name: 'Aalborg' } }]],
    ['/port_totals?select=name,buoys(id)&id=eq.1', [{ name: 'Aalborg', buoys: ids(1, 2) }]],
    ['/crew_list?select=sailor_name,sailors(id)&ship_id=eq.2', [{ sailor_name: 'Tove', sailors: { id: 2 } }]],
    [
      '/rumours?select=hint,ships(name)&order=id',
      [
        { hint: 'tre', ships: { name: 'Albatross' } },
        { hint: 'mut', ships: { name: 'Bonito' } },
      ],
    ],
    ['/ships?select=id,rumours(hint)&id=eq.1', [{ id: 1, rumours: [{ hint: 'tre' }] }]],
  ]);

  test('a hidden table cannot be embedded', async () => {
    expectReply(await api.get('/ships?select=id,secrets(what)'), {
      status: 400,
      json: {
        code: 'PGRST200',
        message: "Could not find a relationship between 'ships' and 'secrets' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'ships' and 'secrets' in the schema 'harbour', but no matches were found.",
        hint: expect.toSatisfy((hint) => hint === null || !/meant 'secrets'/.test(hint)),
      },
    });
  });
});

describe('functions that take a row', () => {
  answers([
    [
      '/ships?select=id,port_of(name)&order=id&limit=2',
      [
        { id: 1, port_of: { name: 'Aalborg' } },
        { id: 2, port_of: { name: 'Aalborg' } },
      ],
    ],
    ['/ships?select=id,port_of(name)&id=eq.4', [{ id: 4, port_of: null }]],
    [
      '/ports?select=id,fleet_at(id)&id=lte.2&order=id',
      [
        { id: 1, fleet_at: ids(1, 2) },
        { id: 2, fleet_at: ids(3, 5) },
      ],
    ],
    ['/fleet?select=id,view_port(name)&id=eq.3', [{ id: 3, view_port: { name: 'Bergen' } }]],
    ['/cargo?select=id,carrier(name)&id=eq.3', [{ id: 3, carrier: { name: 'Bonito' } }]],
    ['/ships?select=id,heavy_cargo(what)&id=eq.1', [{ id: 1, heavy_cargo: [{ what: 'grain' }] }]],
    [
      '/ships?select=id,port_of(name,fleet_at(id))&id=eq.1',
      [{ id: 1, port_of: { name: 'Aalborg', fleet_at: ids(1, 2) } }],
    ],
    ['/ships?select=id,harbourage:port_of(name)&id=eq.1', [{ id: 1, harbourage: { name: 'Aalborg' } }]],
    ['/ports?select=id,fleet_at(id)&id=eq.1&fleet_at.kind=eq.clipper', [{ id: 1, fleet_at: ids(2) }]],
    ['/ports?select=id,fleet_at(id)&id=eq.1&fleet_at.order=id.desc&fleet_at.limit=1', [{ id: 1, fleet_at: ids(2) }]],
    [
      '/ships?select=id,port_of!inner(name)&port_of.name=eq.Bergen&order=id',
      [
        { id: 3, port_of: { name: 'Bergen' } },
        { id: 5, port_of: { name: 'Bergen' } },
      ],
    ],
    [
      '/ships?select=id,port_of(name)&order=port_of(name).desc.nullslast,id&limit=3',
      [
        { id: 3, port_of: { name: 'Bergen' } },
        { id: 5, port_of: { name: 'Bergen' } },
        { id: 1, port_of: { name: 'Aalborg' } },
      ],
    ],
    ['/ships?select=id,...port_of(port:name)&id=eq.1', [{ id: 1, port: 'Aalborg' }]],
    [
      '/ports?select=id,fleet_at(label)&id=eq.1',
      [{ id: 1, fleet_at: [{ label: 'Albatross (barge)' }, { label: 'Bonito (clipper)' }] }],
    ],
    ['/ships?select=id,cargo(what,tonnes)&id=eq.3', [{ id: 3, cargo: [{ what: 'salt', tonnes: 4 }] }]],
    ['/rpc/all_ships?select=id,port_of(name)&id=eq.1', [{ id: 1, port_of: { name: 'Aalborg' } }]],
  ]);
});

describe('shaping embeds', () => {
  answers([
    ['/ports?select=id,buoys(id)&buoys.colour=eq.red&id=eq.1', [{ id: 1, buoys: ids(1) }]],
    ['/ports?select=id,buoys(id)&buoys.order=id.desc&id=eq.1', [{ id: 1, buoys: ids(2, 1) }]],
    ['/ports?select=id,buoys(id)&buoys.limit=1&buoys.offset=1&id=eq.1', [{ id: 1, buoys: ids(2) }]],
    ['/ports?select=id,buoys(id)&buoys.or=(id.eq.2,colour.eq.blue)&id=eq.1', [{ id: 1, buoys: ids(2) }]],
    ['/ports?select=id,buoys(id)&buoys.and=(id.gt.0,id.lt.2)&id=eq.1', [{ id: 1, buoys: ids(1) }]],
    ['/ports?select=id,buoys(id)&buoys.not.or=(id.eq.2,id.eq.3)&id=eq.1', [{ id: 1, buoys: ids(1) }]],
    ['/ports?select=id,marks:buoys(id)&marks.colour=eq.green&id=eq.1', [{ id: 1, marks: ids(2) }]],
    [
      '/ports?select=id,red:buoys(id),green:buoys(id)&red.colour=eq.red&green.colour=eq.green&id=eq.1',
      [{ id: 1, red: ids(1), green: ids(2) }],
    ],
    [
      '/ports?select=id,ships!home_port_id(id,cargo(what))&ships.cargo.kilos=gt.1000&id=eq.1',
      [
        {
          id: 1,
          ships: [
            { id: 1, cargo: [{ what: 'grain' }] },
            { id: 2, cargo: [] },
          ],
        },
      ],
    ],
    ['/ports?select=id,buoys!inner(id)&order=id', [{ id: 1, buoys: ids(1, 2) }]],
    ['/ports?select=id,buoys!inner(id)&buoys.colour=eq.green', [{ id: 1, buoys: ids(2) }]],
    ['/ports?select=id,buoys!left(id)&id=eq.2', [{ id: 2, buoys: [] }]],
    [
      '/ships?select=id,ports!home_port_id!inner(name)&ports.name=eq.Bergen&order=id',
      [
        { id: 3, ports: { name: 'Bergen' } },
        { id: 5, ports: { name: 'Bergen' } },
      ],
    ],
    [
      '/ports?select=id,ships!home_port_id!inner(id,captains!inner(name))&ships.captains.name=eq.Ada',
      [{ id: 1, ships: [{ id: 1, captains: { name: 'Ada' } }] }],
    ],
    [
      '/ships?select=id,sailors!ship_sailors!inner(name)&sailors.name=eq.Tove&order=id',
      [
        { id: 1, sailors: [{ name: 'Tove' }] },
        { id: 2, sailors: [{ name: 'Tove' }] },
      ],
    ],
    ['/buoys?select=id,ports()&order=id', ids(1, 2, 3)],
    ['/ports?select=id,buoys()&buoys=not.is.null', ids(1)],
    ['/ports?select=id,buoys()&buoys=is.null&order=id', ids(2, 3, 4)],
    ['/ports?select=id,buoys(id)&buoys=not.is.null', [{ id: 1, buoys: ids(1, 2) }]],
    ['/ports?select=id,buoys()&buoys.colour=eq.green&buoys=not.is.null', ids(1)],
    ['/buoys?select=id,ports()&ports=is.null', ids(3)],
    ['/ports?select=id,buoys(),paints()&or=(buoys.not.is.null,paints.not.is.null)&order=id', ids(1, 2)],
    ['/ports?select=id,b:buoys(),paints()&and=(b.is.null,paints.not.is.null)', ids(2)],
    [
      '/buoys?select=id,ports(name)&order=ports(name).desc.nullsfirst,id',
      [
        { id: 3, ports: null },
        { id: 1, ports: { name: 'Aalborg' } },
        { id: 2, ports: { name: 'Aalborg' } },
      ],
    ],
    [
      '/captains?select=id,ships(id)&order=ships(tonnage).desc.nullslast',
      [
        { id: 1, ships: { id: 1 } },
        { id: 2, ships: { id: 2 } },
        { id: 3, ships: null },
      ],
    ],
    ['/captains?select=id,s:ships(id)&order=s(id).desc.nullslast&limit=1', [{ id: 2, s: { id: 2 } }]],
    ['/ships?select=id,ports!home_port_id(facts->pilot->>name)&id=eq.1', [{ id: 1, ports: { name: 'Bo' } }]],
    [
      '/buoys?select=id,ports(*)&id=eq.1',
      [
        {
          id: 1,
          ports: {
            id: 1,
            name: 'Aalborg',
            country: 'DK',
            depth: 10.4,
            facts: { cranes: 4, pilot: { name: 'Bo', boats: [1, 2] } },
            tags: ['north', 'small'],
          },
        },
      ],
    ],
  ]);

  test('the target of an aliased embed may still be named in a filter, with a warning', async () => {
    const reply = await api.get('/ports?select=id,marks:buoys(id)&buoys.colour=eq.green&id=eq.1');
    expectReply(reply, { json: [{ id: 1, marks: ids(2) }], headers: { warning: /^299 .*`buoys` to `marks`/ } });
  });

  test('an exact count counts what inner embeds leave', async () => {
    expectReply(await api.get('/ships?select=id,captains!inner(id)&limit=1&order=id', { prefer: 'count=exact' }), {
      status: 206,
      headers: { 'content-range': '0-0/2' },
    });
    expectReply(await api.get('/ports?select=id,buoys()&buoys=is.null', { prefer: 'count=exact' }), {
      headers: { 'content-range': '0-2/3' },
    });
  });
});

describe('refused embeddings', () => {
  test('two resources under one name', async () => {
    const twice = '/ships?select=id,ports!ships_home_port_id_fkey(id),ports!ships_built_at_fkey(id)';
    expectReply(await api.get(twice), {
      status: 400,
      json: {
        code: '42712',
        message: 'table name "ships_ports_1" specified more than once',
        details: null,
        hint: null,
      },
    });
    expectReply(await api.get(`${twice.replace('ports!ships_b', 'yard:ports!ships_b')}&limit=1&order=id`), {
      json: [{ id: 1, ports: expect.any(Object), yard: expect.anything() }],
    });
  });

  test('two ways, no hint: 300 with both', async () => {
    const reply = await api.get('/ports?select=id,ships(id)');
    expectReply(reply, {
      status: 300,
      json: {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'ports' and 'ships'",
        details: expect.arrayContaining([
          {
            cardinality: 'one-to-many',
            embedding: 'ports with ships',
            relationship: 'ships_built_at_fkey using ports(id) and ships(built_at)',
          },
          {
            cardinality: 'one-to-many',
            embedding: 'ports with ships',
            relationship: 'ships_home_port_id_fkey using ports(id) and ships(home_port_id)',
          },
        ]),
        hint: expect.stringMatching(
          /^Try changing 'ships' to one of the following: 'ships!ships_[a-z_]+', 'ships!ships_[a-z_]+'(, '.*')?\. Find the desired relationship in the 'details' key\.$/,
        ),
      },
    });
  });

  test('two junctions, no hint: 300 naming the junctions', async () => {
    expectReply(await api.get('/ships?select=id,sailors(name)'), {
      status: 300,
      json: {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'ships' and 'sailors'",
        details: expect.arrayContaining([
          {
            cardinality: 'many-to-many',
            embedding: 'ships with sailors',
            relationship:
              'ship_sailors using ship_sailors_ship_id_fkey(ship_id) and ship_sailors_sailor_id_fkey(sailor_id)',
          },
          {
            cardinality: 'many-to-many',
            embedding: 'ships with sailors',
            relationship:
              'ship_pensioners using ship_pensioners_ship_id_fkey(ship_id) and ship_pensioners_sailor_id_fkey(sailor_id)',
          },
        ]),
        hint: expect.stringContaining("'sailors!ship_sailors'"),
      },
    });
  });

  test('no way: 400 with a suggestion', async () => {
    expectReply(await api.get('/ports?select=id,buoy(id)'), {
      status: 400,
      json: {
        code: 'PGRST200',
        message: "Could not find a relationship between 'ports' and 'buoy' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'ports' and 'buoy' in the schema 'harbour', but no matches were found.",
        hint: "Perhaps you meant 'buoys' instead of 'buoy'.",
      },
    });
  });

  test('a wrong hint: 400 without one', async () => {
    expectReply(await api.get('/ports?select=id,buoys!nope(id)'), {
      status: 400,
      json: {
        code: 'PGRST200',
        message: "Could not find a relationship between 'ports' and 'buoys' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'ports' and 'buoys' using the hint 'nope' in the schema 'harbour', but no matches were found.",
        hint: null,
      },
    });
  });

  test('filters on what is not embedded', async () => {
    expectReply(await api.get('/ports?select=id&buoys.id=eq.1'), {
      status: 400,
      json: {
        code: 'PGRST108',
        message: "'buoys' is not an embedded resource in this request",
        details: null,
        hint: "Verify that 'buoys' is included in the 'select' query parameter.",
      },
    });
  });

  test('other operators than null checks on an embed', async () => {
    expectReply(await api.get('/ports?select=id,buoys(id)&buoys=eq.1'), {
      status: 400,
      json: {
        code: 'PGRST120',
        message: "Bad operator on the 'buoys' embedded resource",
        details: 'Only is null or not is null filters are allowed on embedded resources',
        hint: null,
      },
    });
  });

  test('order by a to-many embed', async () => {
    expectReply(await api.get('/ports?select=id,buoys(id)&order=buoys(id)'), {
      status: 400,
      json: {
        code: 'PGRST118',
        message: "A related order on 'buoys' is not possible",
        details: "'ports' and 'buoys' do not form a many-to-one or one-to-one relationship",
        hint: null,
      },
    });
  });
});
