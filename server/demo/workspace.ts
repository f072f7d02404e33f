// Content of the sample workspace: two people, three projects with forty tasks each, and comments.

export interface DemoPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface DemoProject {
  readonly name: string;
  readonly key: string;
  readonly description: string;
  readonly color: string;
  readonly labels: readonly (readonly [name: string, color: string])[];
  /** In the order they were thought of: the first are done by now, the last still in the backlog. */
  readonly titles: readonly string[];
  /** By place in `titles`, in Markdown. */
  readonly details: readonly (readonly [task: number, text: string])[];
  /** By place in `titles`: what is a part of what. */
  readonly parts: readonly (readonly [task: number, parts: readonly number[]])[];
  /** By place in `titles`: the first and the last day of what is planned, in working days from today. */
  readonly days: readonly (readonly [task: number, from: number, to: number])[];
  /** By place in `titles`: what waits for what, and how many days lie in between. */
  readonly waits: readonly (readonly [before: number, after: number, lag?: number])[];
  /** By place in `titles`: what comes again every month. */
  readonly monthly: readonly number[];
  readonly fields: readonly DemoField[];
  /** By place in `titles`. */
  readonly comments: readonly (readonly [task: number, author: 0 | 1, body: string, answer?: DemoAnswer])[];
}

/** A field of the project, and what tasks hold in it: all that are worked on begin at the first value and go round. */
export interface DemoField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'date' | 'select' | 'multi_select' | 'checkbox' | 'url';
  readonly unit?: string;
  readonly options?: readonly { readonly id: string; readonly name: string; readonly color: string }[];
  readonly values: readonly (string | number | boolean | readonly string[])[];
}

/** What the other one of the two says to a comment, and thinks of it. */
export interface DemoAnswer {
  readonly body: string;
  readonly emoji: string;
}

export const people: readonly [DemoPerson, DemoPerson] = [
  { name: 'Mara Lindqvist', email: 'mara@example.com', password: 'sample-workspace' },
  { name: 'Tomás Oliveira', email: 'tomas@example.com', password: 'sample-workspace' },
];

/** Of forty tasks: how many are done, in progress, to do; the rest is backlog. */
export const progress = { done: 18, inProgress: 5, toDo: 8 } as const;

export const checklist = ['Write down what is meant', 'Try it with one person', 'Tell the others'] as const;

/** Neighbours in the list wait for each other; the list is in the order of the work, so no open task blocks a finished one. */
const neighbours = Array.from({ length: 13 }, (_, step) => [step * 3, step * 3 + 1] as const);

export const projects: readonly DemoProject[] = [
  {
    name: 'Website relaunch',
    key: 'WEB',
    description: 'New pages, same promise. Live before the autumn fair.',
    color: '#0f766e',
    labels: [
      ['design', '#8b5cf6'],
      ['content', '#0ea5e9'],
      ['bug', '#ef4444'],
    ],
    parts: [
      [25, [16, 20, 23]],
      [30, [26, 27, 28, 38]],
    ],
    days: [
      [18, -4, -1],
      [19, -2, 4],
      [20, -1, 2],
      [21, -2, 6],
      [22, -1, 3],
      [23, 5, 6],
      [24, 4, 6],
      [25, 4, 8],
      [26, 2, 3],
      // Begins before the tour is there: the one thing in the plan that cannot go as it stands.
      [27, 5, 7],
      [28, 1, 8],
      [29, 4, 5],
      [30, 10, 11],
      [31, 7, 13],
      [32, 9, 14],
      [36, 16, 16],
      [38, 8, 10],
    ],
    waits: [
      ...neighbours.slice(0, 6),
      [19, 23],
      [20, 25],
      [22, 25],
      [22, 29],
      [21, 27],
      [23, 31],
      [27, 38],
      [25, 30],
      [28, 30, 1],
      [29, 30],
      [30, 36, 3],
    ],
    monthly: [37],
    fields: [
      {
        name: 'Audience',
        kind: 'select',
        options: [
          { id: 'visitors', name: 'Visitors', color: '#0ea5e9' },
          { id: 'customers', name: 'Customers', color: '#4b913f' },
          { id: 'press', name: 'Press', color: '#8159c9' },
        ],
        values: ['visitors', 'customers', 'visitors', 'press'],
      },
      { name: 'Cost', kind: 'number', unit: '€', values: [400, 1200, 80, 250, 2600] },
      {
        name: 'Shown on',
        kind: 'multi_select',
        options: [
          { id: 'site', name: 'Site', color: '#0f766e' },
          { id: 'mail', name: 'Mail', color: '#c2701c' },
          { id: 'social', name: 'Social', color: '#b0468f' },
        ],
        values: [['site'], ['site', 'mail'], ['site', 'social']],
      },
      { name: 'Approved', kind: 'checkbox', values: [true, true, false] },
    ],
    titles: lines(`
      Collect what visitors ask for
      Agree on three goals for the site
      Sketch the new landing page
      Choose typefaces and colours
      Draw the icon set
      Write the headline and first paragraph
      Interview five customers
      Set up the staging site
      Build the page layout
      Move the blog over
      Redirect old addresses
      Photograph the team
      Write the about page
      Build the pricing table
      Translate the landing page
      Add the newsletter form
      Check contrast and focus order
      Measure page weight
      Shrink the hero image
      Write case study: Nordhavn Ferries
      Fix the menu on small screens
      Record a two-minute tour
      Connect the contact form
      Review all texts aloud
      Add structured data
      Test with a screen reader
      Write the 404 page
      Prepare social cards
      Ask legal about the privacy page
      Load test the form
      Plan the launch day
      Case study: Vila Verde School
      Dark colour scheme
      Search on the blog
      Customer logos in one row
      Compare three hosting offers
      Archive the old site
      Monthly figures for the board
      Press kit with logos
      Thank-you notes to testers`),
    details: [
      [18, 'It is the first thing people wait for. WebP, two sizes, and nothing above **200 KB**.'],
      [
        20,
        'Below 360 px the last entry slips under the logo.\n\n1. Open the front page on a small phone\n2. Turn it\n3. Open the menu',
      ],
      [
        25,
        'Go through the three ways people come in: the front page, a search result, a link in a mail.\n\n- Is every button named after what it does?\n- Does the focus stay where the eye would be?\n- Can the contact form be sent **without looking**?\n\nWhat you find becomes a task of its own, labelled `bug`.',
      ],
      [28, 'Two questions only: how long we keep addresses, and who may read them.'],
    ],
    comments: [
      [2, 1, 'The second sketch is calmer. I would drop the carousel.\n\n![sketch-2.png](attachment:sketch-2.png)'],
      [2, 0, 'Agreed, it is gone. One picture, one sentence.'],
      [10, 1, '312 addresses found; 40 of them nobody has visited in two years.'],
      [18, 0, '1.4 MB now. Can we get under 200 KB?'],
      [20, 1, 'Happens below 360 px only. Working on it.\n\n![menu-320.png](attachment:menu-320.png)'],
      [
        25,
        0,
        'I can borrow a machine with NVDA on Thursday.',
        { body: 'Then Thursday it is. I take the **front page**, you the mail.', emoji: '🎉' },
      ],
    ],
  },
  {
    name: 'Mobile app',
    key: 'APP',
    description: 'Boards in the pocket: read offline, move with the thumb.',
    color: '#7c3aed',
    labels: [
      ['offline', '#10b981'],
      ['ios', '#64748b'],
      ['android', '#84cc16'],
    ],
    parts: [
      [27, [28, 29, 30]],
      [18, [19]],
    ],
    days: [],
    waits: neighbours,
    monthly: [],
    fields: [
      {
        name: 'Platform',
        kind: 'select',
        options: [
          { id: 'both', name: 'Both', color: '#6c7a89' },
          { id: 'ios', name: 'iOS', color: '#3b74d6' },
          { id: 'android', name: 'Android', color: '#4b913f' },
        ],
        values: ['both', 'both', 'ios', 'android'],
      },
      { name: 'Version', kind: 'text', values: ['1.0', '1.0', '1.1'] },
    ],
    titles: lines(`
      Decide what version one leaves out
      Name the app
      Set up the project and pipeline
      Sign in with email
      List of projects
      Read a board
      Open a task
      Keep boards on the device
      Move a card with the thumb
      Pull to refresh
      Show who works on what
      Icons for both stores
      Comment on a task
      Crash reports
      Ask before leaving unsaved words
      Larger text sizes
      Beta for the team
      Fix: keyboard hides the title
      Queue changes while offline
      Resolve moves that crossed
      Push notification when assigned
      Deep links from mails
      Attach a photograph
      Sort the task list
      Voice control labels
      Battery use over a day
      Landscape on tablets
      Beta for twenty customers
      Store texts in three languages
      Screenshots for the stores
      Privacy answers for the stores
      Widget with today’s tasks
      Share a task as a link
      Dark icons
      Quick add from the lock screen
      Haptics on drop
      Calendar view
      Two accounts at once
      Watch face
      Retire the old web view`),
    details: [
      [8, 'A long press picks a card up, the edge of the screen scrolls, letting go puts it down.'],
      [
        18,
        'What is done without a network is kept in order and sent once there is one.\n\n> Nothing anybody typed is ever lost.',
      ],
    ],
    comments: [
      [0, 0, 'No calendar, no watch, no widgets. Boards, tasks, comments.'],
      [8, 1, 'Long press starts it, a short buzz confirms. Feels right.'],
      [17, 1, 'Only with third-party keyboards.'],
      [19, 0, 'Last one wins per field, and the other one is told.'],
      [20, 1, 'Needs the certificate from @Mara Lindqvist.'],
    ],
  },
  {
    name: 'Office move',
    key: 'MOVE',
    description: 'From the third floor to the harbour by the end of the quarter.',
    color: '#c2410c',
    labels: [
      ['supplier', '#f59e0b'],
      ['building', '#6366f1'],
      ['people', '#ec4899'],
    ],
    parts: [
      [18, [19, 20, 21]],
      [35, [26, 34]],
    ],
    days: [],
    waits: neighbours,
    monthly: [],
    fields: [
      { name: 'Offer', kind: 'number', unit: '€', values: [900, 15_000, 350, 4_200] },
      { name: 'Supplier', kind: 'text', values: ['Harbour Movers', 'Nordic Desks', 'City Network'] },
    ],
    titles: lines(`
      List what the new place must have
      Visit four places
      Compare rents and terms
      Sign the lease
      Tell everyone the date
      Measure the rooms
      Draw the floor plan
      Ask three movers for offers
      Order the network line
      Choose desks and chairs
      Order desks and chairs
      Cancel the old lease
      Find a home for the old sofas
      Book the lift for two days
      Name the meeting rooms
      Paint samples for the kitchen
      Fire safety walk-through
      Change the address at the bank
      Plan where teams sit
      Install the network cabinet
      Label every cable
      Badges for the new doors
      Order boxes and tape
      Pack the library
      Move the plants
      New address on invoices
      Signs at the entrance
      Test the alarm
      Kitchen: dishwasher and coffee
      Bicycle racks
      First-aid boxes
      Parking for visitors
      Repair the old floor
      Hand over the old keys
      Photograph the old place for the wall
      Opening evening
      Review what the move cost
      Sell the spare monitors
      Acoustic panels
      Second screen for the workshop`),
    details: [
      [8, 'Both floors, and the workshop. Ask for the date **in writing**.'],
      [20, 'Floor, room, desk: `2-14-b`. The same at both ends.'],
    ],
    comments: [
      [3, 0, 'Signed. Keys on the first of the month.'],
      [8, 1, 'Eight weeks, they say. I ordered a mobile line as a bridge.'],
      [18, 1, 'Support would like to stay near the windows.'],
      [20, 0, 'Please the same labels at both ends.'],
    ],
  },
];

function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
