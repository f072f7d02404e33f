-- Templates that come with Kanbase: rows of public.templates that belong to nobody and that everybody may read, kept by
-- private.save_built_in_templates. Each is written once, in English; other languages give the ids of their rows and a dictionary.
-- Bodies are as docs/use/templates.md describes them, with short ids: @c1 stands for 00000000-0000-4000-8000-0c0100000001
-- (a: labels, b: tasks, c: columns, e: views, f: fields). An id of a row stays what it is, and so does its "built_in".

select private.save_built_in_templates($templates$[
{"built_in": "empty", "id": "ce59ace1-7031-56ec-8f39-8819585ee069", "kind": "project",
  "name": "An empty board", "description": "", "body": {"version": 1,
  "project": {},
  "columns": [
    {"id": "@c1", "name": "Backlog", "kind": "backlog"},
    {"id": "@c2", "name": "To do", "kind": "todo"},
    {"id": "@c3", "name": "In progress", "kind": "in_progress"},
    {"id": "@c4", "name": "Done", "kind": "done"}
  ] }},
{"built_in": "sample", "id": "2585ae2b-afb9-57ef-9d6b-99fd3473033a", "kind": "project",
  "name": "A sample project", "description": "Moving the office: made up, to try things on.", "body": {"version": 1,
  "project": {"name": "Sample: moving the office",
    "description": "Made up, so that there is something to try things on. Delete it whenever you like."},
  "columns": [
    {"id": "@c1", "name": "Backlog", "kind": "backlog"},
    {"id": "@c2", "name": "To do", "kind": "todo"},
    {"id": "@c3", "name": "In progress", "kind": "in_progress"},
    {"id": "@c4", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "@a1", "name": "Start here", "color": "#2f6fdb"},
    {"id": "@a2", "name": "Rooms", "color": "#2e8b57"},
    {"id": "@a3", "name": "Suppliers", "color": "#b7791f"}
  ],
  "tasks": [
    {"id": "@b1", "column": "@c2", "title": "Drag this card to In progress",
      "description": "Or focus it and press Shift+Space, then the arrow keys. Ctrl+Z takes anything back.", "priority": "p1", "due_in": 0,
      "labels": ["@a1"]},
    {"id": "@b2", "column": "@c2", "title": "Open this card and assign it to yourself",
      "description": "Everything about a task is here: description, checklist, files, comments. Ctrl+K finds any task and anything you can do.",
      "due_in": 1, "labels": ["@a1"]},
    {"id": "@b3", "column": "@c2", "title": "Invite somebody to this project",
      "description": "Press the sign with the person at the top right. Nobody sees a project before they are invited.", "due_in": 3,
      "labels": ["@a1"]},
    {"id": "@b4", "column": "@c1", "title": "Draw the plan of the new rooms",
      "description": "One desk for each person, two quiet rooms, a kitchen that fits all.", "start_in": 7, "due_in": 14, "labels": ["@a2"]},
    {"id": "@b5", "column": "@c1", "title": "Compare three moving companies", "due_in": 10, "labels": ["@a3"]},
    {"id": "@b6", "column": "@c1", "title": "Tell customers the new address", "due_in": 21},
    {"id": "@b7", "column": "@c1", "title": "Order door signs", "labels": ["@a3"]},
    {"id": "@b8", "column": "@c3", "title": "Measure the meeting room",
      "description": "The screen has to fit the wall opposite the window.", "due_in": 2, "labels": ["@a2"]},
    {"id": "@b9", "column": "@c3", "title": "Cancel the old internet contract",
      "description": "Three months of notice: this one is late.", "priority": "p0", "due_in": -1, "labels": ["@a3"]},
    {"id": "@ba", "column": "@c4", "title": "Sign the lease", "priority": "p1"},
    {"id": "@bb", "column": "@c4", "title": "Choose a moving day"}
  ],
  "dependencies": [
    {"predecessor": "@b4", "successor": "@b7"}
  ] }},
{"built_in": "software", "id": "658e06cc-3294-5a5d-bbca-2139a37e20b4", "kind": "project",
  "name": "Software development", "description": "Backlog to release, with reviews, bugs by how bad they are, and what goes out when.",
  "body": {"version": 1,
  "project": {"name": "Software"},
  "columns": [
    {"id": "@c1", "name": "Backlog", "kind": "backlog"},
    {"id": "@c2", "name": "Next", "kind": "todo"},
    {"id": "@c3", "name": "In progress", "kind": "in_progress", "wip_limit": 4},
    {"id": "@c4", "name": "Review", "kind": "custom", "wip_limit": 3},
    {"id": "@c5", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "@a1", "name": "Bug", "color": "#c0392b"},
    {"id": "@a2", "name": "Feature", "color": "#2f6fdb"},
    {"id": "@a3", "name": "Chore", "color": "#64748b"}
  ],
  "fields": [
    {"id": "@f1", "name": "Severity", "kind": "select",
      "options": [{"id": "high", "name": "High", "color": "#c0392b"}, {"id": "middle", "name": "Middle", "color": "#b7791f"},
        {"id": "low", "name": "Low", "color": "#64748b"}]},
    {"id": "@f2", "name": "Pull request", "kind": "url"}
  ],
  "views": [
    {"id": "@e1", "name": "Bugs", "layout": "board", "grouping": "select_field.@f1",
      "filter": {"all": [{"property": "label", "is": "any_of", "value": ["@a1"]}]}, "is_shared": true},
    {"id": "@e2", "name": "By person", "layout": "board", "grouping": "assignee",
      "filter": {"all": [{"property": "kind", "is": "none_of", "value": ["done"]}]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "@b1", "column": "@c2", "title": "Agree on what “done” means",
      "description": "For example: reviewed, tested, documented, released.", "due_in": 3, "labels": ["@a3"]},
    {"id": "@b2", "column": "@c2", "title": "Write down what the first version has to do", "priority": "p1", "due_in": 5, "labels": ["@a2"]},
    {"id": "@b3", "column": "@c1", "title": "Set up the repository and its checks", "start_in": 5, "due_in": 7, "labels": ["@a3"],
      "checklist": [{"title": "Tests run on every change"}, {"title": "Reviews are asked for"}, {"title": "Releases have a number"}]},
    {"id": "@b4", "column": "@c1", "title": "Decide where it runs", "due_in": 7, "labels": ["@a3"]},
    {"id": "@b5", "column": "@c1", "title": "Release the first version", "due_in": 28, "labels": ["@a2"],
      "checklist": [{"title": "Change log is written"}, {"title": "A way back is known"}, {"title": "Somebody watches afterwards"}]}
  ],
  "dependencies": [
    {"predecessor": "@b2", "successor": "@b5"}, {"predecessor": "@b3", "successor": "@b5"}, {"predecessor": "@b4", "successor": "@b5"}
  ] }},
{"built_in": "campaign", "id": "3aca5fd6-b0ba-5429-a709-4aff4348410b", "kind": "project",
  "name": "Marketing campaign", "description": "From the idea to what is published, planned on a calendar.", "body": {"version": 1,
  "project": {"name": "Campaign"},
  "columns": [
    {"id": "@c1", "name": "Ideas", "kind": "backlog"},
    {"id": "@c2", "name": "Planned", "kind": "todo"},
    {"id": "@c3", "name": "In progress", "kind": "in_progress"},
    {"id": "@c4", "name": "Approval", "kind": "custom", "wip_limit": 3},
    {"id": "@c5", "name": "Published", "kind": "done"}
  ],
  "labels": [
    {"id": "@a1", "name": "Text", "color": "#2f6fdb"},
    {"id": "@a2", "name": "Design", "color": "#7c4dcc"},
    {"id": "@a3", "name": "Social media", "color": "#c2418c"},
    {"id": "@a4", "name": "Press", "color": "#0f766e"}
  ],
  "fields": [
    {"id": "@f1", "name": "Channel", "kind": "multi_select",
      "options": [{"id": "web", "name": "Web site"}, {"id": "mail", "name": "Newsletter"}, {"id": "social", "name": "Social media"}]},
    {"id": "@f2", "name": "Budget", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "@e1", "name": "Calendar", "layout": "calendar", "is_shared": true}
  ],
  "tasks": [
    {"id": "@b1", "column": "@c1", "title": "Whom do we want to reach, and with what?", "priority": "p1", "due_in": 3, "labels": ["@a1"]},
    {"id": "@b2", "column": "@c2", "title": "Write the key message in one sentence", "start_in": 4, "due_in": 7, "labels": ["@a1"]},
    {"id": "@b3", "column": "@c2", "title": "Design the pictures", "start_in": 8, "due_in": 14, "labels": ["@a2"]},
    {"id": "@b4", "column": "@c2", "title": "Plan the posts of the first two weeks", "start_in": 8, "due_in": 14,
      "labels": ["@a3"], "fields": {"@f1": ["social"]}},
    {"id": "@b5", "column": "@c2", "title": "Draft the press release", "start_in": 14, "due_in": 21, "labels": ["@a4"],
      "checklist": [{"title": "Quotes are agreed on"}, {"title": "Contacts are up to date"}]}
  ],
  "dependencies": [
    {"predecessor": "@b1", "successor": "@b2"}, {"predecessor": "@b2", "successor": "@b3"}, {"predecessor": "@b2", "successor": "@b4"},
    {"predecessor": "@b2", "successor": "@b5"}
  ] }},
{"built_in": "hiring", "id": "2e4992a3-ebbd-5690-9d01-0c6b5663de23", "kind": "project",
  "name": "Hiring", "description": "One card for each person who applies.", "body": {"version": 1,
  "project": {"name": "Hiring", "description": "One card for each person who applies."},
  "columns": [
    {"id": "@c1", "name": "Applied", "kind": "backlog"},
    {"id": "@c2", "name": "First talk", "kind": "todo"},
    {"id": "@c3", "name": "Interview", "kind": "in_progress"},
    {"id": "@c4", "name": "Offer", "kind": "custom"},
    {"id": "@c5", "name": "Decided", "kind": "done"}
  ],
  "labels": [
    {"id": "@a1", "name": "Referred", "color": "#2e8b57"},
    {"id": "@a2", "name": "Hold", "color": "#64748b"}
  ],
  "fields": [
    {"id": "@f1", "name": "Position", "kind": "text"},
    {"id": "@f2", "name": "Source", "kind": "select",
      "options": [{"id": "advertisement", "name": "Advertisement"}, {"id": "referral", "name": "Referral"}, {"id": "agency", "name": "Agency"}]}
  ],
  "views": [
    {"id": "@e1", "name": "All who applied", "layout": "list",
      "shown": {"columns": ["title", "text_field.@f1", "select_field.@f2", "column", "assignee", "due_date"]}, "is_shared": true}
  ],
  "tasks": [
    {"id": "@b1", "column": "@c1", "title": "Example: Robin Meyer, designer",
      "description": "Put the letter and the portfolio here as files, and what you think of them as comments.",
      "labels": ["@a1"], "fields": {"@f1": "Designer", "@f2": "referral"},
      "checklist": [{"title": "Letter and portfolio read"}, {"title": "First talk"}, {"title": "Interview with the team"},
        {"title": "Told the decision"}]},
    {"id": "@b2", "column": "@c1", "title": "Write the advertisement", "priority": "p1", "due_in": 3},
    {"id": "@b3", "column": "@c1", "title": "Agree who talks to whom", "due_in": 5}
  ] }},
{"built_in": "event", "id": "a215c5d1-7fb2-5608-a47e-d791bf7c30e2", "kind": "project",
  "name": "An event", "description": "Eight weeks to the day, on a timeline: place, guests, programme.", "body": {"version": 1,
  "project": {"name": "Summer party"},
  "columns": [
    {"id": "@c1", "name": "Backlog", "kind": "backlog"},
    {"id": "@c2", "name": "To do", "kind": "todo"},
    {"id": "@c3", "name": "In progress", "kind": "in_progress"},
    {"id": "@c4", "name": "Done", "kind": "done"}
  ],
  "labels": [
    {"id": "@a1", "name": "Place", "color": "#2e8b57"},
    {"id": "@a2", "name": "Guests", "color": "#2f6fdb"},
    {"id": "@a3", "name": "Programme", "color": "#7c4dcc"}
  ],
  "fields": [
    {"id": "@f1", "name": "Cost", "kind": "number", "unit": "€"}
  ],
  "views": [
    {"id": "@e1", "name": "Timeline", "layout": "timeline", "is_shared": true},
    {"id": "@e2", "name": "What it costs", "layout": "list",
      "shown": {"columns": ["title", "assignee", "due_date", "number_field.@f1"], "sums": {"number_field.@f1": "sum"}}, "is_shared": true}
  ],
  "tasks": [
    {"id": "@b1", "column": "@c2", "title": "Find a place", "priority": "p1", "start_in": 0, "due_in": 7, "labels": ["@a1"]},
    {"id": "@b2", "column": "@c2", "parent": "@b1", "title": "Compare three places", "start_in": 0, "due_in": 4},
    {"id": "@b3", "column": "@c2", "parent": "@b1", "title": "Book one", "start_in": 5, "due_in": 7},
    {"id": "@b4", "column": "@c2", "title": "Write the list of guests", "start_in": 3, "due_in": 10, "labels": ["@a2"]},
    {"id": "@b5", "column": "@c1", "title": "Send the invitations", "start_in": 11, "due_in": 14, "labels": ["@a2"]},
    {"id": "@b6", "column": "@c1", "title": "Ask speakers and musicians", "start_in": 8, "due_in": 21, "labels": ["@a3"]},
    {"id": "@b7", "column": "@c1", "title": "Order food and drinks", "start_in": 35, "due_in": 42, "labels": ["@a1"],
      "checklist": [{"title": "Vegetarian and vegan"}, {"title": "Without nuts"}, {"title": "Enough water"}]},
    {"id": "@b8", "column": "@c1", "title": "Write the plan of the day", "start_in": 42, "due_in": 49, "labels": ["@a3"]},
    {"id": "@b9", "column": "@c1", "title": "The day itself", "priority": "p1", "start_in": 56, "due_in": 56, "labels": ["@a3"]},
    {"id": "@ba", "column": "@c1", "title": "Say thank you", "start_in": 57, "due_in": 60, "labels": ["@a2"]}
  ],
  "dependencies": [
    {"predecessor": "@b1", "successor": "@b5"}, {"predecessor": "@b4", "successor": "@b5"}, {"predecessor": "@b1", "successor": "@b6"},
    {"predecessor": "@b5", "successor": "@b7"}, {"predecessor": "@b6", "successor": "@b8"}, {"predecessor": "@b8", "successor": "@b9"},
    {"predecessor": "@b9", "successor": "@ba"}
  ] }},
{"built_in": "bug", "id": "f7861c80-5900-53ad-871f-df1320917ce0", "kind": "task",
  "name": "Bug report", "description": "What happened, what should have, and how to see it.", "body": {"version": 1,
  "labels": [
    {"id": "@a1", "name": "Bug", "color": "#c0392b"}
  ],
  "tasks": [
    {"id": "@b1", "title": "Bug:",
      "description": "**What happened**\n\n\n**What should have happened**\n\n\n**How to see it**\n\n1. ", "priority": "p1",
      "labels": ["@a1"],
      "checklist": [{"title": "Can be seen again"}, {"title": "Has a test"}, {"title": "Is mended"}, {"title": "Whoever reported it knows"}]}
  ] }},
{"built_in": "meeting", "id": "7bd9b7e8-a1b8-5648-baf9-b1d9807552ab", "kind": "task",
  "name": "Meeting", "description": "What it is about, who decides what, and what follows.", "body": {"version": 1,
  "tasks": [
    {"id": "@b1", "title": "Meeting", "description": "**What it is about**\n\n\n**Decided**\n\n\n**What follows**\n\n- [ ] ", "due_in": 7,
      "checklist": [{"title": "Invite whoever is needed"}, {"title": "Send what is to be read"}, {"title": "Write down what was decided"}]}
  ] }},
{"built_in": "release", "id": "99d8b363-b6f7-58bd-9e32-2c85a8d8c625", "kind": "task",
  "name": "Release", "description": "From the last change to the first day after, in order.", "body": {"version": 1,
  "tasks": [
    {"id": "@b1", "title": "Release", "priority": "p1", "start_in": 0, "due_in": 7},
    {"id": "@b2", "parent": "@b1", "title": "Nothing new goes in", "due_in": 2},
    {"id": "@b3", "parent": "@b1", "title": "Try all of it", "start_in": 2, "due_in": 4,
      "checklist": [{"title": "On a phone"}, {"title": "With a slow network"}, {"title": "Coming from the version before"}]},
    {"id": "@b4", "parent": "@b1", "title": "Write what is new", "due_in": 4},
    {"id": "@b5", "parent": "@b1", "title": "Publish it", "due_in": 5},
    {"id": "@b6", "parent": "@b1", "title": "Watch it for a day", "start_in": 6, "due_in": 7}
  ],
  "dependencies": [
    {"predecessor": "@b2", "successor": "@b3"}, {"predecessor": "@b3", "successor": "@b5"}, {"predecessor": "@b4", "successor": "@b5"},
    {"predecessor": "@b5", "successor": "@b6"}
  ] }}
]$templates$, $translations${
"de": {
  "ids": {
    "empty": "8f853ba4-903c-5125-b04b-139f1364da6c", "sample": "6a9e76c0-225a-5ea3-97b7-4061ab664c93",
    "software": "2abbff42-1d7e-55b0-8164-83b3cd77ac9e", "campaign": "29be4bfc-c00f-5eb2-a908-f27fcbb4f5f8",
    "hiring": "9f42c4c5-8acd-501f-ab2d-5ab3a1135937", "event": "38dee856-b773-5584-935c-8ef0cb8e22df",
    "bug": "8bc6d84e-dbe5-56dd-b65d-43740836de94", "meeting": "662f627c-6642-5076-9d1e-f53492f995a9",
    "release": "8ee3864b-2d72-5758-a7b8-34ebfaca47c9"
  },
  "words": {
    "An empty board": "Leeres Board", "To do": "Zu tun", "In progress": "In Arbeit", "Done": "Erledigt",
    "A sample project": "Beispielprojekt",
    "Moving the office: made up, to try things on.": "Ein Büroumzug: ausgedacht, zum Ausprobieren.",
    "Sample: moving the office": "Beispiel: Büroumzug",
    "Made up, so that there is something to try things on. Delete it whenever you like.":
      "Ausgedacht, damit es etwas zum Ausprobieren gibt. Lösch es, wann immer du magst.",
    "Start here": "Hier anfangen", "Rooms": "Räume", "Suppliers": "Anbieter",
    "Drag this card to In progress": "Zieh diese Karte nach „In Arbeit“",
    "Or focus it and press Shift+Space, then the arrow keys. Ctrl+Z takes anything back.":
      "Oder gib ihr den Fokus und drück Umschalt+Leertaste, dann die Pfeiltasten. Strg+Z nimmt alles zurück.",
    "Open this card and assign it to yourself": "Öffne diese Karte und weise sie dir zu",
    "Everything about a task is here: description, checklist, files, comments. Ctrl+K finds any task and anything you can do.":
      "Alles zu einer Aufgabe steht hier: Beschreibung, Checkliste, Dateien, Kommentare. Strg+K findet jede Aufgabe und alles, was du tun kannst.",
    "Invite somebody to this project": "Lade jemanden in dieses Projekt ein",
    "Press the sign with the person at the top right. Nobody sees a project before they are invited.":
      "Drück oben rechts auf das Zeichen mit der Person. Niemand sieht ein Projekt, ohne eingeladen zu sein.",
    "Draw the plan of the new rooms": "Plan der neuen Räume zeichnen",
    "One desk for each person, two quiet rooms, a kitchen that fits all.":
      "Ein Schreibtisch für jede Person, zwei ruhige Räume, eine Küche, in die alle passen.",
    "Compare three moving companies": "Drei Umzugsfirmen vergleichen",
    "Tell customers the new address": "Kundschaft die neue Adresse mitteilen",
    "Order door signs": "Türschilder bestellen", "Measure the meeting room": "Besprechungsraum ausmessen",
    "The screen has to fit the wall opposite the window.": "Der Bildschirm muss an die Wand gegenüber dem Fenster passen.",
    "Cancel the old internet contract": "Alten Internetvertrag kündigen",
    "Three months of notice: this one is late.": "Drei Monate Kündigungsfrist: Hier ist es schon spät.",
    "Sign the lease": "Mietvertrag unterschreiben", "Choose a moving day": "Umzugstag wählen",
    "Software development": "Softwareentwicklung",
    "Backlog to release, with reviews, bugs by how bad they are, and what goes out when.":
      "Vom Backlog bis zur Veröffentlichung, mit Reviews und Fehlern nach Schwere.",
    "Next": "Als Nächstes", "Bug": "Fehler", "Feature": "Funktion", "Chore": "Pflege", "Severity": "Schwere",
    "High": "Hoch", "Middle": "Mittel", "Low": "Gering", "Pull request": "Pull Request", "Bugs": "Fehler",
    "By person": "Nach Person", "Agree on what “done” means": "Festlegen, was „erledigt“ heißt",
    "For example: reviewed, tested, documented, released.": "Zum Beispiel: geprüft, getestet, dokumentiert, veröffentlicht.",
    "Write down what the first version has to do": "Aufschreiben, was die erste Version können muss",
    "Set up the repository and its checks": "Repository und seine Prüfungen einrichten",
    "Tests run on every change": "Tests laufen bei jeder Änderung",
    "Reviews are asked for": "Reviews werden angefragt",
    "Releases have a number": "Veröffentlichungen haben eine Nummer",
    "Decide where it runs": "Entscheiden, wo es läuft",
    "Release the first version": "Die erste Version veröffentlichen",
    "Change log is written": "Änderungen sind aufgeschrieben", "A way back is known": "Ein Weg zurück ist bekannt",
    "Somebody watches afterwards": "Jemand schaut danach zu",
    "Marketing campaign": "Marketingkampagne",
    "From the idea to what is published, planned on a calendar.": "Von der Idee bis zur Veröffentlichung, im Kalender geplant.",
    "Campaign": "Kampagne", "Ideas": "Ideen", "Planned": "Geplant", "Approval": "Freigabe",
    "Published": "Veröffentlicht", "Design": "Gestaltung", "Social media": "Soziale Medien", "Press": "Presse",
    "Channel": "Kanal", "Web site": "Website", "Calendar": "Kalender",
    "Whom do we want to reach, and with what?": "Wen wollen wir womit erreichen?",
    "Write the key message in one sentence": "Die Kernbotschaft in einem Satz schreiben",
    "Design the pictures": "Die Bilder gestalten",
    "Plan the posts of the first two weeks": "Die Beiträge der ersten zwei Wochen planen",
    "Draft the press release": "Pressemitteilung entwerfen", "Quotes are agreed on": "Zitate sind abgestimmt",
    "Contacts are up to date": "Kontakte sind aktuell",
    "Hiring": "Personalsuche", "One card for each person who applies.": "Eine Karte für jede Bewerbung.",
    "Applied": "Beworben", "First talk": "Erstes Gespräch", "Offer": "Angebot", "Decided": "Entschieden",
    "Referred": "Empfohlen", "Hold": "Warten", "Position": "Stelle", "Source": "Quelle", "Advertisement": "Anzeige",
    "Referral": "Empfehlung", "Agency": "Agentur", "All who applied": "Alle Bewerbungen",
    "Example: Robin Meyer, designer": "Beispiel: Robin Meyer, Design",
    "Put the letter and the portfolio here as files, and what you think of them as comments.":
      "Leg Anschreiben und Portfolio hier als Dateien ab und schreib als Kommentar, was du davon hältst.",
    "Designer": "Design", "Letter and portfolio read": "Anschreiben und Portfolio gelesen",
    "Interview with the team": "Interview mit dem Team", "Told the decision": "Entscheidung mitgeteilt",
    "Write the advertisement": "Die Anzeige schreiben", "Agree who talks to whom": "Absprechen, wer mit wem redet",
    "An event": "Eine Veranstaltung",
    "Eight weeks to the day, on a timeline: place, guests, programme.": "Acht Wochen bis zum Tag, auf einer Zeitleiste: Ort, Gäste, Programm.",
    "Summer party": "Sommerfest", "Place": "Ort", "Guests": "Gäste", "Programme": "Programm", "Cost": "Kosten",
    "Timeline": "Zeitleiste", "What it costs": "Was es kostet", "Find a place": "Einen Ort finden",
    "Compare three places": "Drei Orte vergleichen", "Book one": "Einen buchen",
    "Write the list of guests": "Gästeliste schreiben", "Send the invitations": "Einladungen verschicken",
    "Ask speakers and musicians": "Rednerinnen, Redner und Musik anfragen",
    "Order food and drinks": "Essen und Getränke bestellen", "Vegetarian and vegan": "Vegetarisch und vegan",
    "Without nuts": "Ohne Nüsse", "Enough water": "Genug Wasser",
    "Write the plan of the day": "Ablauf des Tages schreiben", "The day itself": "Der Tag selbst",
    "Say thank you": "Danke sagen",
    "Bug report": "Fehlerbericht",
    "What happened, what should have, and how to see it.": "Was geschah, was geschehen sollte, und wie man es sieht.",
    "Bug:": "Fehler:",
    "**What happened**\n\n\n**What should have happened**\n\n\n**How to see it**\n\n1. ":
      "**Was geschah**\n\n\n**Was geschehen sollte**\n\n\n**Wie man es sieht**\n\n1. ",
    "Can be seen again": "Ist nachvollzogen", "Has a test": "Hat einen Test", "Is mended": "Ist behoben",
    "Whoever reported it knows": "Wer ihn gemeldet hat, weiß es",
    "Meeting": "Besprechung",
    "What it is about, who decides what, and what follows.": "Worum es geht, wer was entscheidet, und was folgt.",
    "**What it is about**\n\n\n**Decided**\n\n\n**What follows**\n\n- [ ] ": "**Worum es geht**\n\n\n**Entschieden**\n\n\n**Was folgt**\n\n- [ ] ",
    "Invite whoever is needed": "Alle Nötigen einladen", "Send what is to be read": "Schicken, was zu lesen ist",
    "Write down what was decided": "Aufschreiben, was entschieden wurde",
    "Release": "Veröffentlichung",
    "From the last change to the first day after, in order.": "Von der letzten Änderung bis zum Tag danach, der Reihe nach.",
    "Nothing new goes in": "Nichts Neues kommt mehr hinein", "Try all of it": "Alles ausprobieren",
    "On a phone": "Auf einem Telefon", "With a slow network": "Mit langsamem Netz",
    "Coming from the version before": "Von der Version davor aus", "Write what is new": "Aufschreiben, was neu ist",
    "Publish it": "Veröffentlichen", "Watch it for a day": "Einen Tag lang zuschauen"
  }
},
"fr": {
  "ids": {
    "empty": "569d2686-7df5-5c34-99cf-6f8e3a61bec7", "sample": "dd8bc477-ab59-5429-b38d-c268964c8fa8",
    "software": "b83d4087-55c6-56de-bee6-f6e4c9f02b64", "campaign": "44a3e238-bcba-58f8-bb8c-22ba3cd363cf",
    "hiring": "04bbbf31-abe8-58dc-98bc-05e3bdfaa553", "event": "5deeb7a4-5aa0-535b-b943-7b3552c17349",
    "bug": "00ebcabe-6621-5198-bddb-548c1cc8d47f", "meeting": "76280363-9af6-53e9-ba96-261d2358c76c",
    "release": "e710237f-f024-5262-bf62-1e2f4bd10b19"
  },
  "words": {
    "An empty board": "Un tableau vide", "To do": "À faire", "In progress": "En cours", "Done": "Terminé",
    "A sample project": "Un projet d’exemple",
    "Moving the office: made up, to try things on.": "Un déménagement de bureaux, inventé, pour s’exercer.",
    "Sample: moving the office": "Exemple : déménager les bureaux",
    "Made up, so that there is something to try things on. Delete it whenever you like.":
      "Inventé, pour avoir de quoi s’exercer. Supprimez-le quand vous voulez.",
    "Start here": "Commencez ici", "Rooms": "Locaux", "Suppliers": "Prestataires",
    "Drag this card to In progress": "Glissez cette carte vers « En cours »",
    "Or focus it and press Shift+Space, then the arrow keys. Ctrl+Z takes anything back.":
      "Ou activez-la et appuyez sur Maj+Espace, puis sur les flèches. Ctrl+Z annule tout.",
    "Open this card and assign it to yourself": "Ouvrez cette carte et attribuez-vous la tâche",
    "Everything about a task is here: description, checklist, files, comments. Ctrl+K finds any task and anything you can do.":
      "Tout ce qui concerne une tâche est ici : description, checklist, fichiers, commentaires. Ctrl+K trouve toutes les tâches et toutes les actions.",
    "Invite somebody to this project": "Invitez quelqu’un dans ce projet",
    "Press the sign with the person at the top right. Nobody sees a project before they are invited.":
      "Appuyez sur l’icône de personne en haut à droite. Personne ne voit un projet sans invitation.",
    "Draw the plan of the new rooms": "Dessiner le plan des nouveaux locaux",
    "One desk for each person, two quiet rooms, a kitchen that fits all.":
      "Un bureau par personne, deux pièces calmes, une cuisine pour tous.",
    "Compare three moving companies": "Comparer trois déménageurs",
    "Tell customers the new address": "Annoncer la nouvelle adresse aux clients", "Order door signs": "Commander les plaques de porte",
    "Measure the meeting room": "Mesurer la salle de réunion",
    "The screen has to fit the wall opposite the window.": "L’écran doit tenir sur le mur en face de la fenêtre.",
    "Cancel the old internet contract": "Résilier l’ancien contrat Internet",
    "Three months of notice: this one is late.": "Trois mois de préavis : celle-ci est en retard.", "Sign the lease": "Signer le bail",
    "Choose a moving day": "Choisir le jour du déménagement", "Software development": "Développement logiciel",
    "Backlog to release, with reviews, bugs by how bad they are, and what goes out when.":
      "Du backlog à la publication, avec les revues et les bugs par gravité.",
    "Next": "Ensuite", "Review": "Revue", "Feature": "Fonctionnalité", "Chore": "Entretien", "Severity": "Gravité", "High": "Élevée",
    "Middle": "Moyenne", "Low": "Faible", "By person": "Par personne", "Agree on what “done” means": "Définir ce que « terminé » veut dire",
    "For example: reviewed, tested, documented, released.": "Par exemple : relu, testé, documenté, publié.",
    "Write down what the first version has to do": "Écrire ce que la première version doit faire",
    "Set up the repository and its checks": "Préparer le dépôt et ses vérifications",
    "Tests run on every change": "Les tests tournent à chaque modification", "Reviews are asked for": "Les revues sont demandées",
    "Releases have a number": "Les versions ont un numéro", "Decide where it runs": "Décider de l’hébergement",
    "Release the first version": "Publier la première version", "Change log is written": "Le journal des modifications est écrit",
    "A way back is known": "Un retour en arrière est prévu", "Somebody watches afterwards": "Quelqu’un surveille ensuite",
    "Marketing campaign": "Campagne marketing",
    "From the idea to what is published, planned on a calendar.": "De l’idée à la publication, planifiée dans un calendrier.",
    "Campaign": "Campagne", "Ideas": "Idées", "Planned": "Planifié", "Approval": "Validation", "Published": "Publié", "Text": "Texte",
    "Design": "Graphisme", "Social media": "Réseaux sociaux", "Press": "Presse", "Channel": "Canal", "Web site": "Site web",
    "Calendar": "Calendrier", "Whom do we want to reach, and with what?": "Qui voulons-nous toucher, et avec quoi ?",
    "Write the key message in one sentence": "Écrire le message clé en une phrase", "Design the pictures": "Créer les visuels",
    "Plan the posts of the first two weeks": "Planifier les publications des deux premières semaines",
    "Draft the press release": "Rédiger le communiqué de presse", "Quotes are agreed on": "Les citations sont validées",
    "Contacts are up to date": "Les contacts sont à jour", "Hiring": "Recrutement",
    "One card for each person who applies.": "Une carte par candidature.", "Applied": "Candidature", "First talk": "Premier échange",
    "Interview": "Entretien", "Offer": "Offre", "Decided": "Décidé", "Referred": "Recommandé", "Hold": "En attente", "Position": "Poste",
    "Advertisement": "Annonce", "Referral": "Recommandation", "Agency": "Agence", "All who applied": "Toutes les candidatures",
    "Example: Robin Meyer, designer": "Exemple : Robin Meyer, design",
    "Put the letter and the portfolio here as files, and what you think of them as comments.":
      "Déposez ici la lettre et le portfolio, et donnez votre avis en commentaire.",
    "Designer": "Design", "Letter and portfolio read": "Lettre et portfolio lus", "Interview with the team": "Entretien avec l’équipe",
    "Told the decision": "Décision annoncée", "Write the advertisement": "Rédiger l’annonce",
    "Agree who talks to whom": "Décider qui rencontre qui", "An event": "Un événement",
    "Eight weeks to the day, on a timeline: place, guests, programme.":
      "Huit semaines jusqu’au jour J, sur une chronologie : lieu, invités, programme.",
    "Summer party": "Fête d’été", "Place": "Lieu", "Guests": "Invités", "Cost": "Coût", "Timeline": "Chronologie",
    "What it costs": "Budget", "Find a place": "Trouver un lieu", "Compare three places": "Comparer trois lieux",
    "Book one": "En réserver un", "Write the list of guests": "Établir la liste des invités",
    "Send the invitations": "Envoyer les invitations", "Ask speakers and musicians": "Contacter intervenants et musiciens",
    "Order food and drinks": "Commander le buffet et les boissons", "Vegetarian and vegan": "Végétarien et végane",
    "Without nuts": "Sans fruits à coque", "Enough water": "Assez d’eau", "Write the plan of the day": "Écrire le déroulé de la journée",
    "The day itself": "Le jour J", "Say thank you": "Remercier", "Bug report": "Rapport de bug",
    "What happened, what should have, and how to see it.": "Ce qui s’est passé, ce qui était attendu, et comment le reproduire.",
    "Bug:": "Bug :",
    "**What happened**\n\n\n**What should have happened**\n\n\n**How to see it**\n\n1. ":
      "**Ce qui s’est passé**\n\n\n**Ce qui était attendu**\n\n\n**Comment le reproduire**\n\n1. ",
    "Can be seen again": "Reproduit", "Has a test": "Couvert par un test", "Is mended": "Corrigé",
    "Whoever reported it knows": "Son auteur est prévenu", "Meeting": "Réunion",
    "What it is about, who decides what, and what follows.": "Le sujet, qui décide quoi, et la suite.",
    "**What it is about**\n\n\n**Decided**\n\n\n**What follows**\n\n- [ ] ": "**Sujet**\n\n\n**Décisions**\n\n\n**Suite**\n\n- [ ] ",
    "Invite whoever is needed": "Inviter les personnes nécessaires", "Send what is to be read": "Envoyer les documents à lire",
    "Write down what was decided": "Noter les décisions", "Release": "Publication",
    "From the last change to the first day after, in order.": "De la dernière modification au lendemain, dans l’ordre.",
    "Nothing new goes in": "Geler les ajouts", "Try all of it": "Tout essayer", "On a phone": "Sur un téléphone",
    "With a slow network": "Avec un réseau lent", "Coming from the version before": "Depuis la version précédente",
    "Write what is new": "Écrire les nouveautés", "Publish it": "Publier", "Watch it for a day": "Surveiller pendant un jour"
  }
}
}$translations$);
