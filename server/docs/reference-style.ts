// Style sheet of the reference pages, light and dark. Served as /docs/reference.css.

export const referenceStyle = `
:root { color-scheme: light dark;
  --paper: light-dark(#f7f6f3, #141516); --sheet: light-dark(#ffffff, #1c1e1f); --ink: light-dark(#1f1e1b, #ecebe7);
  --soft: light-dark(#68645c, #9b988f); --line: light-dark(#e4e1da, #2c2f31); --accent: light-dark(#0f6b73, #5cc2cb);
  --code: light-dark(#efede8, #282b2c); --night: light-dark(#1c2324, #0f1011); --night-ink: #e6e9e8;
  --get: light-dark(#0b6b47, #5fcf9f); --post: light-dark(#0b5fb0, #7ab7f5); --put: light-dark(#7a4a00, #e5b05c);
  --patch: light-dark(#7a4a00, #e5b05c); --delete: light-dark(#a8232b, #f08c92);
  font: 15px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem; background: var(--paper); color: var(--ink) }
body { margin: 0 }
a { color: var(--accent); text-underline-offset: .2em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
code, pre { font: .875em/1.55 ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere }
pre code { background: none; padding: 0; overflow-wrap: normal }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.skip { position: absolute; left: -100vw } .skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--sheet); padding: .5rem 1rem }
.bar { position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center; padding: .6rem 1.25rem;
  background: var(--sheet); border-bottom: 1px solid var(--line) }
.brand { font-weight: 650; color: inherit; text-decoration: none; white-space: nowrap } .brand span { color: var(--soft); font-weight: 400 }
.search { flex: 1; max-width: 26rem; margin-inline: auto; position: relative }
#found { position: absolute; inset: calc(100% + .35rem) 0 auto; margin: 0; padding: .3rem; list-style: none; background: var(--sheet); border: 1px solid var(--line);
  border-radius: 10px; box-shadow: 0 8px 24px #0003; max-height: 70vh; overflow-y: auto }
#found a { display: flex; gap: .5rem; align-items: baseline; padding: .3rem .5rem; border-radius: 6px; color: inherit; text-decoration: none }
#found a span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap } #found small { color: var(--soft) }
#found [aria-selected=true] a, #found a:hover { background: var(--code) } .none { padding: .3rem .5rem; color: var(--soft) }
.search input { width: 100%; font: inherit; color: inherit; background: var(--code); border: 1px solid transparent; border-radius: 8px; padding: .35rem .75rem }
.links { display: flex; gap: .75rem; align-items: center; white-space: nowrap }
.links button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 8px; padding: .25rem .6rem; cursor: pointer }
.frame { display: grid; grid-template-columns: 18rem minmax(0, 1fr); max-width: 92rem; margin: 0 auto }
.contents { position: sticky; top: 3.4rem; align-self: start; height: calc(100vh - 3.4rem); overflow-y: auto; padding: 1rem .5rem 3rem 1rem;
  border-right: 1px solid var(--line); font-size: .875rem; scrollbar-width: thin }
.contents summary { display: none }
.contents h2 { font-size: .78rem; color: var(--soft); margin: .8rem .4rem .2rem; padding: 0; border: 0 }
.contents ul { list-style: none; margin: 0 0 .6rem; padding: 0 } .contents ul ul { margin: .1rem 0 .4rem .7rem; border-left: 1px solid var(--line); padding-left: .3rem }
.contents a { display: flex; gap: .5rem; align-items: baseline; padding: .18rem .4rem; border-radius: 6px; color: inherit; text-decoration: none; min-width: 0; overflow-wrap: anywhere }
.contents a span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.contents a:hover, .contents a[aria-current] { background: var(--code) }
.method { font: 600 .68rem/1.5 ui-monospace, Menlo, Consolas, monospace; text-transform: uppercase; letter-spacing: .02em; flex: none; width: 3.9em; white-space: nowrap; overflow-wrap: normal }
.get { color: var(--get) } .post { color: var(--post) } .put { color: var(--put) } .patch { color: var(--patch) } .delete { color: var(--delete) }
main { padding: 2rem 2.5rem 6rem; min-width: 0 }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; letter-spacing: -.015em }
h2 { font-size: 1.35rem; margin: 3.5rem 0 .5rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); letter-spacing: -.01em }
h3 { font-size: 1.05rem; margin: 0 0 .35rem } h3 a { color: inherit; text-decoration: none } h3 a:hover { text-decoration: underline }
h4 { font-size: .78rem; font-weight: 600; color: var(--soft); margin: 1.1rem 0 .3rem }
p { margin: .4rem 0 .8rem; max-width: 68ch }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem } .facts dt { color: var(--soft) } .facts dd { margin: 0 }
.operation { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.3rem; margin: 1rem 0 }
.operation { content-visibility: auto; contain-intrinsic-size: auto 30rem }
.operation:target { border-color: var(--accent) }
.line { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: 0 0 .5rem } .line .method { width: auto; font-size: .78rem }
.needs { color: var(--soft); font-size: .82rem }
.columns { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 0 1.75rem; align-items: start }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-top: 1px solid var(--line); font-weight: 400 }
tr:first-child > * { border-top: 0 } th { width: 11rem } .intro th { width: 14rem } th i { display: block; font-size: .75rem; color: var(--soft) }
.type, .type em { color: var(--soft); font-size: .85rem; font-style: normal }
.answers { display: grid; grid-template-columns: max-content 1fr; gap: .3rem .9rem; margin: 0 } .answers dd { margin: 0 }
.status { font: 600 .85rem/1.7 ui-monospace, Menlo, Consolas, monospace } .s2 { color: var(--get) } .s3 { color: var(--post) } .s4, .s5 { color: var(--delete) }
.kind { color: var(--soft); margin: 0 }
.cards { list-style: none; padding: 0; margin: .6rem 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .35rem 1.25rem }
.cards a { font-weight: 600 } .cards span { display: block; color: var(--soft); font-size: .85rem; line-height: 1.4 }
details > summary { cursor: pointer } .inline > summary { color: var(--accent); width: max-content } .plain { margin: 0 }
  .example { margin: .9rem 0 0 } .more { margin-top: .5rem } .more > summary { color: var(--accent); width: max-content; font-size: .85rem }
figcaption { font-size: .78rem; color: var(--soft); margin-bottom: .3rem }
pre { margin: 0; background: var(--night); color: var(--night-ink); border-radius: 10px; padding: .9rem 1rem; overflow-x: auto }
.copy { float: right; font: inherit; color: var(--accent); background: none; border: 0; cursor: pointer; padding: 0 }
.try { margin-top: .8rem; border: 1px solid var(--line); border-radius: 10px; padding: .5rem .8rem } .try > summary { color: var(--accent); font-weight: 600 }
.try form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; margin-top: .4rem } .try label { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .5rem; align-items: baseline; font-size: .875rem; overflow-wrap: anywhere }
.try label i { color: var(--soft); font-size: .75rem } .try p { margin: 0 } .who { color: var(--soft); font-size: .85rem }
.pair { display: flex; gap: .5rem; padding-left: 9.5rem } .pair label { display: block; flex: 1 } .pair label:first-child { flex: none }
.try input, .try select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .5rem; width: 100%; min-width: 0 }
.try button, dialog button { font: inherit; color: var(--sheet); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .3rem 1rem; cursor: pointer; justify-self: start }
.try button:disabled { opacity: .5; cursor: default } .answer pre { max-height: 24rem; margin-top: .3rem; overflow: auto } .fault { color: var(--delete) }
dialog { background: var(--sheet); color: inherit; border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.5rem; max-width: min(32rem, calc(100vw - 2rem)) } dialog::backdrop { background: #0007 }
dialog h2 { margin: 0 0 .4rem; padding: 0; border: 0; overflow-wrap: anywhere } dialog p:last-child { margin: 1rem 0 0; text-align: right } dialog button:not(.go) { color: inherit; background: none; border-color: var(--line) }
[hidden] { display: none !important }
@media (max-width: 70rem) { .columns { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 52rem) { .frame { grid-template-columns: minmax(0, 1fr) } .contents { position: static; height: auto; max-height: none; padding: .4rem 1rem; border-right: 0; border-bottom: 1px solid var(--line) } .contents summary { display: list-item; font-weight: 600; padding: .5rem 0 } .contents a { padding-block: .45rem }
  .try label { grid-template-columns: minmax(0, 1fr); gap: .1rem } .pair { padding-left: 0 } .try input, .try select, .try button, .search input { font-size: 16px; min-height: 2.75rem } .links a { display: none }

  main { padding: 1.25rem 1rem 4rem } th, .intro th { width: 8rem } .brand span { display: none } }
`;
