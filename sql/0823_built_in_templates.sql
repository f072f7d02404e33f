-- Templates that come with Kanbase, in each of its languages: rows like all others, which belong to nobody and everybody may read. What has the
-- same `built_in` is the same template in another language. A change of one is a new migration that updates its row.

insert into public.templates (id, built_in, language, kind, name, description, body) values
('ce59ace1-7031-56ec-8f39-8819585ee069', 'empty', 'en', 'project', 'An empty board', '', $body${ "version": 1,
  "project": {},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "To do", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In progress", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Done", "kind": "done"}
  ] }$body$),
('2585ae2b-afb9-57ef-9d6b-99fd3473033a', 'sample', 'en', 'project', 'A sample project', 'Moving the office: made up, to try things on.', $body${ "version": 1,
  "project": {"name": "Sample: moving the office", "description": "Made up, so that there is something to try things on. Delete it whenever you like."},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "To do", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In progress", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Start here", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Rooms", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Suppliers", "color": "#b7791f"}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Drag this card to In progress", "description": "Or focus it and press Shift+Space, then the arrow keys. Ctrl+Z takes anything back.", "priority": "p1", "due_in": 0, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Open this card and assign it to yourself", "description": "Everything about a task is here: description, checklist, files, comments. Ctrl+K finds any task and anything you can do.", "due_in": 1, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Invite somebody to this project", "description": "Press the sign with the person at the top right. Nobody sees a project before they are invited.", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Draw the plan of the new rooms", "description": "One desk for each person, two quiet rooms, a kitchen that fits all.", "start_in": 7, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Compare three moving companies", "due_in": 10, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000006", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Tell customers the new address", "due_in": 21},
    {"id": "00000000-0000-4000-8000-0b0100000007", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Order door signs", "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000008", "column": "00000000-0000-4000-8000-0c0100000003", "title": "Measure the meeting room", "description": "The screen has to fit the wall opposite the window.", "due_in": 2, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000009", "column": "00000000-0000-4000-8000-0c0100000003", "title": "Cancel the old internet contract", "description": "Three months of notice: this one is late.", "priority": "p0", "due_in": -1, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b010000000a", "column": "00000000-0000-4000-8000-0c0100000004", "title": "Sign the lease", "priority": "p1"},
    {"id": "00000000-0000-4000-8000-0b010000000b", "column": "00000000-0000-4000-8000-0c0100000004", "title": "Choose a moving day"}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000007"}
  ] }$body$),
('658e06cc-3294-5a5d-bbca-2139a37e20b4', 'software', 'en', 'project', 'Software development', 'Backlog to release, with reviews, bugs by how bad they are, and what goes out when.', $body${ "version": 1,
  "project": {"name": "Software"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Next", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In progress", "kind": "in_progress", "wip_limit": 4},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Review", "kind": "custom", "wip_limit": 3},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Bug", "color": "#c0392b"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Feature", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Chore", "color": "#64748b"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Severity", "kind": "select", "options": [{"id": "high", "name": "High", "color": "#c0392b"}, {"id": "middle", "name": "Middle", "color": "#b7791f"}, {"id": "low", "name": "Low", "color": "#64748b"}]},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Pull request", "kind": "url"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Bugs", "layout": "board", "grouping": "select_field.00000000-0000-4000-8000-0f0100000001", "filter": {"all": [{"property": "label", "is": "any_of", "value": ["00000000-0000-4000-8000-0a0100000001"]}]}, "is_shared": true},
    {"id": "00000000-0000-4000-8000-0e0100000002", "name": "By person", "layout": "board", "grouping": "assignee", "filter": {"all": [{"property": "kind", "is": "none_of", "value": ["done"]}]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Agree on what “done” means", "description": "For example: reviewed, tested, documented, released.", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Write down what the first version has to do", "priority": "p1", "due_in": 5, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Set up the repository and its checks", "start_in": 5, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000003"], "checklist": [{"title": "Tests run on every change"}, {"title": "Reviews are asked for"}, {"title": "Releases have a number"}]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Decide where it runs", "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Release the first version", "due_in": 28, "labels": ["00000000-0000-4000-8000-0a0100000002"], "checklist": [{"title": "Change log is written"}, {"title": "A way back is known"}, {"title": "Somebody watches afterwards"}]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000003", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"}
  ] }$body$),
('3aca5fd6-b0ba-5429-a709-4aff4348410b', 'campaign', 'en', 'project', 'Marketing campaign', 'From the idea to what is published, planned on a calendar.', $body${ "version": 1,
  "project": {"name": "Campaign"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Ideas", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Planned", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In progress", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Approval", "kind": "custom", "wip_limit": 3},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Published", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Text", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Design", "color": "#7c4dcc"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Social media", "color": "#c2418c"},
    {"id": "00000000-0000-4000-8000-0a0100000004", "name": "Press", "color": "#0f766e"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Channel", "kind": "multi_select", "options": [{"id": "web", "name": "Web site"}, {"id": "mail", "name": "Newsletter"}, {"id": "social", "name": "Social media"}]},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Budget", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Calendar", "layout": "calendar", "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Whom do we want to reach, and with what?", "priority": "p1", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Write the key message in one sentence", "start_in": 4, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Design the pictures", "start_in": 8, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Plan the posts of the first two weeks", "start_in": 8, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000003"], "fields": {"00000000-0000-4000-8000-0f0100000001": ["social"]}},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Draft the press release", "start_in": 14, "due_in": 21, "labels": ["00000000-0000-4000-8000-0a0100000004"], "checklist": [{"title": "Quotes are agreed on"}, {"title": "Contacts are up to date"}]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000002"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000003"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000004"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000005"}
  ] }$body$),
('2e4992a3-ebbd-5690-9d01-0c6b5663de23', 'hiring', 'en', 'project', 'Hiring', 'One card for each person who applies.', $body${ "version": 1,
  "project": {"name": "Hiring", "description": "One card for each person who applies."},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Applied", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "First talk", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "Interview", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Offer", "kind": "custom"},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Decided", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Referred", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Hold", "color": "#64748b"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Position", "kind": "text"},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Source", "kind": "select", "options": [{"id": "advertisement", "name": "Advertisement"}, {"id": "referral", "name": "Referral"}, {"id": "agency", "name": "Agency"}]}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "All who applied", "layout": "list", "shown": {"columns": ["title", "text_field.00000000-0000-4000-8000-0f0100000001", "select_field.00000000-0000-4000-8000-0f0100000002", "column", "assignee", "due_date"]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Example: Robin Meyer, designer", "description": "Put the letter and the portfolio here as files, and what you think of them as comments.", "labels": ["00000000-0000-4000-8000-0a0100000001"], "fields": {"00000000-0000-4000-8000-0f0100000001": "Designer", "00000000-0000-4000-8000-0f0100000002": "referral"}, "checklist": [{"title": "Letter and portfolio read"}, {"title": "First talk"}, {"title": "Interview with the team"}, {"title": "Told the decision"}]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Write the advertisement", "priority": "p1", "due_in": 3},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Agree who talks to whom", "due_in": 5}
  ] }$body$),
('a215c5d1-7fb2-5608-a47e-d791bf7c30e2', 'event', 'en', 'project', 'An event', 'Eight weeks to the day, on a timeline: place, guests, programme.', $body${ "version": 1,
  "project": {"name": "Summer party"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "To do", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In progress", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Place", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Guests", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Programme", "color": "#7c4dcc"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Cost", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Timeline", "layout": "timeline", "is_shared": true},
    {"id": "00000000-0000-4000-8000-0e0100000002", "name": "What it costs", "layout": "list", "shown": {"columns": ["title", "assignee", "due_date", "number_field.00000000-0000-4000-8000-0f0100000001"], "sums": {"number_field.00000000-0000-4000-8000-0f0100000001": "sum"}}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Find a place", "priority": "p1", "start_in": 0, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Compare three places", "start_in": 0, "due_in": 4},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Book one", "start_in": 5, "due_in": 7},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Write the list of guests", "start_in": 3, "due_in": 10, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Send the invitations", "start_in": 11, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000006", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Ask speakers and musicians", "start_in": 8, "due_in": 21, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000007", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Order food and drinks", "start_in": 35, "due_in": 42, "labels": ["00000000-0000-4000-8000-0a0100000001"], "checklist": [{"title": "Vegetarian and vegan"}, {"title": "Without nuts"}, {"title": "Enough water"}]},
    {"id": "00000000-0000-4000-8000-0b0100000008", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Write the plan of the day", "start_in": 42, "due_in": 49, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000009", "column": "00000000-0000-4000-8000-0c0100000001", "title": "The day itself", "priority": "p1", "start_in": 56, "due_in": 56, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b010000000a", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Say thank you", "start_in": 57, "due_in": 60, "labels": ["00000000-0000-4000-8000-0a0100000002"]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000006"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000005", "successor": "00000000-0000-4000-8000-0b0100000007"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000006", "successor": "00000000-0000-4000-8000-0b0100000008"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000008", "successor": "00000000-0000-4000-8000-0b0100000009"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000009", "successor": "00000000-0000-4000-8000-0b010000000a"}
  ] }$body$),
('f7861c80-5900-53ad-871f-df1320917ce0', 'bug', 'en', 'task', 'Bug report', 'What happened, what should have, and how to see it.', $body${ "version": 1,
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Bug", "color": "#c0392b"}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Bug:", "description": "**What happened**\n\n\n**What should have happened**\n\n\n**How to see it**\n\n1. ", "priority": "p1", "labels": ["00000000-0000-4000-8000-0a0100000001"], "checklist": [{"title": "Can be seen again"}, {"title": "Has a test"}, {"title": "Is mended"}, {"title": "Whoever reported it knows"}]}
  ] }$body$),
('7bd9b7e8-a1b8-5648-baf9-b1d9807552ab', 'meeting', 'en', 'task', 'Meeting', 'What it is about, who decides what, and what follows.', $body${ "version": 1,
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Meeting", "description": "**What it is about**\n\n\n**Decided**\n\n\n**What follows**\n\n- [ ] ", "due_in": 7, "checklist": [{"title": "Invite whoever is needed"}, {"title": "Send what is to be read"}, {"title": "Write down what was decided"}]}
  ] }$body$),
('99d8b363-b6f7-58bd-9e32-2c85a8d8c625', 'release', 'en', 'task', 'Release', 'From the last change to the first day after, in order.', $body${ "version": 1,
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Release", "priority": "p1", "start_in": 0, "due_in": 7},
    {"id": "00000000-0000-4000-8000-0b0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Nothing new goes in", "due_in": 2},
    {"id": "00000000-0000-4000-8000-0b0100000003", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Try all of it", "start_in": 2, "due_in": 4, "checklist": [{"title": "On a phone"}, {"title": "With a slow network"}, {"title": "Coming from the version before"}]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Write what is new", "due_in": 4},
    {"id": "00000000-0000-4000-8000-0b0100000005", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Publish it", "due_in": 5},
    {"id": "00000000-0000-4000-8000-0b0100000006", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Watch it for a day", "start_in": 6, "due_in": 7}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000003"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000003", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000005", "successor": "00000000-0000-4000-8000-0b0100000006"}
  ] }$body$),
('8f853ba4-903c-5125-b04b-139f1364da6c', 'empty', 'de', 'project', 'Leeres Board', '', $body${ "version": 1,
  "project": {},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Zu tun", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In Arbeit", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Erledigt", "kind": "done"}
  ] }$body$),
('6a9e76c0-225a-5ea3-97b7-4061ab664c93', 'sample', 'de', 'project', 'Beispielprojekt', 'Ein Büroumzug: ausgedacht, zum Ausprobieren.', $body${ "version": 1,
  "project": {"name": "Beispiel: Büroumzug", "description": "Ausgedacht, damit es etwas zum Ausprobieren gibt. Lösch es, wann immer du magst."},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Zu tun", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In Arbeit", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Erledigt", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Hier anfangen", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Räume", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Anbieter", "color": "#b7791f"}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Zieh diese Karte nach „In Arbeit“", "description": "Oder gib ihr den Fokus und drück Umschalt+Leertaste, dann die Pfeiltasten. Strg+Z nimmt alles zurück.", "priority": "p1", "due_in": 0, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Öffne diese Karte und weise sie dir zu", "description": "Alles zu einer Aufgabe steht hier: Beschreibung, Checkliste, Dateien, Kommentare. Strg+K findet jede Aufgabe und alles, was du tun kannst.", "due_in": 1, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Lade jemanden in dieses Projekt ein", "description": "Drück oben rechts auf das Zeichen mit der Person. Niemand sieht ein Projekt, ohne eingeladen zu sein.", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Plan der neuen Räume zeichnen", "description": "Ein Schreibtisch für jede Person, zwei ruhige Räume, eine Küche, in die alle passen.", "start_in": 7, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Drei Umzugsfirmen vergleichen", "due_in": 10, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000006", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Kundschaft die neue Adresse mitteilen", "due_in": 21},
    {"id": "00000000-0000-4000-8000-0b0100000007", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Türschilder bestellen", "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000008", "column": "00000000-0000-4000-8000-0c0100000003", "title": "Besprechungsraum ausmessen", "description": "Der Bildschirm muss an die Wand gegenüber dem Fenster passen.", "due_in": 2, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000009", "column": "00000000-0000-4000-8000-0c0100000003", "title": "Alten Internetvertrag kündigen", "description": "Drei Monate Kündigungsfrist: Hier ist es schon spät.", "priority": "p0", "due_in": -1, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b010000000a", "column": "00000000-0000-4000-8000-0c0100000004", "title": "Mietvertrag unterschreiben", "priority": "p1"},
    {"id": "00000000-0000-4000-8000-0b010000000b", "column": "00000000-0000-4000-8000-0c0100000004", "title": "Umzugstag wählen"}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000007"}
  ] }$body$),
('2abbff42-1d7e-55b0-8164-83b3cd77ac9e', 'software', 'de', 'project', 'Softwareentwicklung', 'Vom Backlog bis zur Veröffentlichung, mit Reviews und Fehlern nach Schwere.', $body${ "version": 1,
  "project": {"name": "Software"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Als Nächstes", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In Arbeit", "kind": "in_progress", "wip_limit": 4},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Review", "kind": "custom", "wip_limit": 3},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Erledigt", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Fehler", "color": "#c0392b"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Funktion", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Pflege", "color": "#64748b"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Schwere", "kind": "select", "options": [{"id": "high", "name": "Hoch", "color": "#c0392b"}, {"id": "middle", "name": "Mittel", "color": "#b7791f"}, {"id": "low", "name": "Gering", "color": "#64748b"}]},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Pull Request", "kind": "url"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Fehler", "layout": "board", "grouping": "select_field.00000000-0000-4000-8000-0f0100000001", "filter": {"all": [{"property": "label", "is": "any_of", "value": ["00000000-0000-4000-8000-0a0100000001"]}]}, "is_shared": true},
    {"id": "00000000-0000-4000-8000-0e0100000002", "name": "Nach Person", "layout": "board", "grouping": "assignee", "filter": {"all": [{"property": "kind", "is": "none_of", "value": ["done"]}]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Festlegen, was „erledigt“ heißt", "description": "Zum Beispiel: geprüft, getestet, dokumentiert, veröffentlicht.", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Aufschreiben, was die erste Version können muss", "priority": "p1", "due_in": 5, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Repository und seine Prüfungen einrichten", "start_in": 5, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000003"], "checklist": [{"title": "Tests laufen bei jeder Änderung"}, {"title": "Reviews werden angefragt"}, {"title": "Veröffentlichungen haben eine Nummer"}]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Entscheiden, wo es läuft", "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Die erste Version veröffentlichen", "due_in": 28, "labels": ["00000000-0000-4000-8000-0a0100000002"], "checklist": [{"title": "Änderungen sind aufgeschrieben"}, {"title": "Ein Weg zurück ist bekannt"}, {"title": "Jemand schaut danach zu"}]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000003", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"}
  ] }$body$),
('29be4bfc-c00f-5eb2-a908-f27fcbb4f5f8', 'campaign', 'de', 'project', 'Marketingkampagne', 'Von der Idee bis zur Veröffentlichung, im Kalender geplant.', $body${ "version": 1,
  "project": {"name": "Kampagne"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Ideen", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Geplant", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In Arbeit", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Freigabe", "kind": "custom", "wip_limit": 3},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Veröffentlicht", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Text", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Gestaltung", "color": "#7c4dcc"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Soziale Medien", "color": "#c2418c"},
    {"id": "00000000-0000-4000-8000-0a0100000004", "name": "Presse", "color": "#0f766e"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Kanal", "kind": "multi_select", "options": [{"id": "web", "name": "Website"}, {"id": "mail", "name": "Newsletter"}, {"id": "social", "name": "Soziale Medien"}]},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Budget", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Kalender", "layout": "calendar", "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Wen wollen wir womit erreichen?", "priority": "p1", "due_in": 3, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Die Kernbotschaft in einem Satz schreiben", "start_in": 4, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Die Bilder gestalten", "start_in": 8, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Die Beiträge der ersten zwei Wochen planen", "start_in": 8, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000003"], "fields": {"00000000-0000-4000-8000-0f0100000001": ["social"]}},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Pressemitteilung entwerfen", "start_in": 14, "due_in": 21, "labels": ["00000000-0000-4000-8000-0a0100000004"], "checklist": [{"title": "Zitate sind abgestimmt"}, {"title": "Kontakte sind aktuell"}]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000002"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000003"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000004"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000005"}
  ] }$body$),
('9f42c4c5-8acd-501f-ab2d-5ab3a1135937', 'hiring', 'de', 'project', 'Personalsuche', 'Eine Karte für jede Bewerbung.', $body${ "version": 1,
  "project": {"name": "Personalsuche", "description": "Eine Karte für jede Bewerbung."},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Beworben", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Erstes Gespräch", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "Interview", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Angebot", "kind": "custom"},
    {"id": "00000000-0000-4000-8000-0c0100000005", "name": "Entschieden", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Empfohlen", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Warten", "color": "#64748b"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Stelle", "kind": "text"},
    {"id": "00000000-0000-4000-8000-0f0100000002", "name": "Quelle", "kind": "select", "options": [{"id": "advertisement", "name": "Anzeige"}, {"id": "referral", "name": "Empfehlung"}, {"id": "agency", "name": "Agentur"}]}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Alle Bewerbungen", "layout": "list", "shown": {"columns": ["title", "text_field.00000000-0000-4000-8000-0f0100000001", "select_field.00000000-0000-4000-8000-0f0100000002", "column", "assignee", "due_date"]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Beispiel: Robin Meyer, Design", "description": "Leg Anschreiben und Portfolio hier als Dateien ab und schreib als Kommentar, was du davon hältst.", "labels": ["00000000-0000-4000-8000-0a0100000001"], "fields": {"00000000-0000-4000-8000-0f0100000001": "Design", "00000000-0000-4000-8000-0f0100000002": "referral"}, "checklist": [{"title": "Anschreiben und Portfolio gelesen"}, {"title": "Erstes Gespräch"}, {"title": "Interview mit dem Team"}, {"title": "Entscheidung mitgeteilt"}]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Die Anzeige schreiben", "priority": "p1", "due_in": 3},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Absprechen, wer mit wem redet", "due_in": 5}
  ] }$body$),
('38dee856-b773-5584-935c-8ef0cb8e22df', 'event', 'de', 'project', 'Eine Veranstaltung', 'Acht Wochen bis zum Tag, auf einer Zeitleiste: Ort, Gäste, Programm.', $body${ "version": 1,
  "project": {"name": "Sommerfest"},
  "columns": [
    {"id": "00000000-0000-4000-8000-0c0100000001", "name": "Backlog", "kind": "backlog"},
    {"id": "00000000-0000-4000-8000-0c0100000002", "name": "Zu tun", "kind": "todo"},
    {"id": "00000000-0000-4000-8000-0c0100000003", "name": "In Arbeit", "kind": "in_progress"},
    {"id": "00000000-0000-4000-8000-0c0100000004", "name": "Erledigt", "kind": "done"}
  ],
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Ort", "color": "#2e8b57"},
    {"id": "00000000-0000-4000-8000-0a0100000002", "name": "Gäste", "color": "#2f6fdb"},
    {"id": "00000000-0000-4000-8000-0a0100000003", "name": "Programm", "color": "#7c4dcc"}
  ],
  "fields": [
    {"id": "00000000-0000-4000-8000-0f0100000001", "name": "Kosten", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "00000000-0000-4000-8000-0e0100000001", "name": "Zeitleiste", "layout": "timeline", "is_shared": true},
    {"id": "00000000-0000-4000-8000-0e0100000002", "name": "Was es kostet", "layout": "list", "shown": {"columns": ["title", "assignee", "due_date", "number_field.00000000-0000-4000-8000-0f0100000001"], "sums": {"number_field.00000000-0000-4000-8000-0f0100000001": "sum"}}, "is_shared": true}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Einen Ort finden", "priority": "p1", "start_in": 0, "due_in": 7, "labels": ["00000000-0000-4000-8000-0a0100000001"]},
    {"id": "00000000-0000-4000-8000-0b0100000002", "column": "00000000-0000-4000-8000-0c0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Drei Orte vergleichen", "start_in": 0, "due_in": 4},
    {"id": "00000000-0000-4000-8000-0b0100000003", "column": "00000000-0000-4000-8000-0c0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Einen buchen", "start_in": 5, "due_in": 7},
    {"id": "00000000-0000-4000-8000-0b0100000004", "column": "00000000-0000-4000-8000-0c0100000002", "title": "Gästeliste schreiben", "start_in": 3, "due_in": 10, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000005", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Einladungen verschicken", "start_in": 11, "due_in": 14, "labels": ["00000000-0000-4000-8000-0a0100000002"]},
    {"id": "00000000-0000-4000-8000-0b0100000006", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Rednerinnen, Redner und Musik anfragen", "start_in": 8, "due_in": 21, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000007", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Essen und Getränke bestellen", "start_in": 35, "due_in": 42, "labels": ["00000000-0000-4000-8000-0a0100000001"], "checklist": [{"title": "Vegetarisch und vegan"}, {"title": "Ohne Nüsse"}, {"title": "Genug Wasser"}]},
    {"id": "00000000-0000-4000-8000-0b0100000008", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Ablauf des Tages schreiben", "start_in": 42, "due_in": 49, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b0100000009", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Der Tag selbst", "priority": "p1", "start_in": 56, "due_in": 56, "labels": ["00000000-0000-4000-8000-0a0100000003"]},
    {"id": "00000000-0000-4000-8000-0b010000000a", "column": "00000000-0000-4000-8000-0c0100000001", "title": "Danke sagen", "start_in": 57, "due_in": 60, "labels": ["00000000-0000-4000-8000-0a0100000002"]}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000001", "successor": "00000000-0000-4000-8000-0b0100000006"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000005", "successor": "00000000-0000-4000-8000-0b0100000007"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000006", "successor": "00000000-0000-4000-8000-0b0100000008"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000008", "successor": "00000000-0000-4000-8000-0b0100000009"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000009", "successor": "00000000-0000-4000-8000-0b010000000a"}
  ] }$body$),
('8bc6d84e-dbe5-56dd-b65d-43740836de94', 'bug', 'de', 'task', 'Fehlerbericht', 'Was geschah, was geschehen sollte, und wie man es sieht.', $body${ "version": 1,
  "labels": [
    {"id": "00000000-0000-4000-8000-0a0100000001", "name": "Fehler", "color": "#c0392b"}
  ],
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Fehler:", "description": "**Was geschah**\n\n\n**Was geschehen sollte**\n\n\n**Wie man es sieht**\n\n1. ", "priority": "p1", "labels": ["00000000-0000-4000-8000-0a0100000001"], "checklist": [{"title": "Ist nachvollzogen"}, {"title": "Hat einen Test"}, {"title": "Ist behoben"}, {"title": "Wer ihn gemeldet hat, weiß es"}]}
  ] }$body$),
('662f627c-6642-5076-9d1e-f53492f995a9', 'meeting', 'de', 'task', 'Besprechung', 'Worum es geht, wer was entscheidet, und was folgt.', $body${ "version": 1,
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Besprechung", "description": "**Worum es geht**\n\n\n**Entschieden**\n\n\n**Was folgt**\n\n- [ ] ", "due_in": 7, "checklist": [{"title": "Alle Nötigen einladen"}, {"title": "Schicken, was zu lesen ist"}, {"title": "Aufschreiben, was entschieden wurde"}]}
  ] }$body$),
('8ee3864b-2d72-5758-a7b8-34ebfaca47c9', 'release', 'de', 'task', 'Veröffentlichung', 'Von der letzten Änderung bis zum Tag danach, der Reihe nach.', $body${ "version": 1,
  "tasks": [
    {"id": "00000000-0000-4000-8000-0b0100000001", "title": "Veröffentlichung", "priority": "p1", "start_in": 0, "due_in": 7},
    {"id": "00000000-0000-4000-8000-0b0100000002", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Nichts Neues kommt mehr hinein", "due_in": 2},
    {"id": "00000000-0000-4000-8000-0b0100000003", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Alles ausprobieren", "start_in": 2, "due_in": 4, "checklist": [{"title": "Auf einem Telefon"}, {"title": "Mit langsamem Netz"}, {"title": "Von der Version davor aus"}]},
    {"id": "00000000-0000-4000-8000-0b0100000004", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Aufschreiben, was neu ist", "due_in": 4},
    {"id": "00000000-0000-4000-8000-0b0100000005", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Veröffentlichen", "due_in": 5},
    {"id": "00000000-0000-4000-8000-0b0100000006", "parent": "00000000-0000-4000-8000-0b0100000001", "title": "Einen Tag lang zuschauen", "start_in": 6, "due_in": 7}
  ],
  "dependencies": [
    {"predecessor": "00000000-0000-4000-8000-0b0100000002", "successor": "00000000-0000-4000-8000-0b0100000003"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000003", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000004", "successor": "00000000-0000-4000-8000-0b0100000005"},
    {"predecessor": "00000000-0000-4000-8000-0b0100000005", "successor": "00000000-0000-4000-8000-0b0100000006"}
  ] }$body$);
