import { colours } from '#domain/navigation/constants.ts'
import { inkOn, paletteOf } from '#domain/settings/palette.ts'
import { sourceHash } from '#server/platform/http/html.ts'

/**
 * Style sheet of the public pages. It is part of each page, so that one answer is enough to read it. Colours are those
 * of the app; the system chooses the theme, because these pages store nothing.
 */
const rules = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
h1,h2,h3{line-height:1.25;margin:0;font-weight:650}
h1{font-size:1.5rem}
h2{font-size:1.25rem}
h3{font-size:1rem}
p,ul,ol,dl{margin:0}
ul,ol{padding-inline-start:1.25rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.two,.half{display:grid;gap:1rem}
.skip{position:absolute;inset-inline-start:-999px}
.skip:focus{inset-inline-start:.5rem;top:.5rem;background:var(--card);padding:.5rem;z-index:1}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.top>div:last-child,main,.foot>div{max-width:64rem;margin-inline:auto;padding-inline:1rem}
.top>div:last-child{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;padding-block:.5rem}
.top a{min-height:2.75rem;display:inline-flex;align-items:center}
.brand{font-weight:650;color:var(--text);text-decoration:none;margin-inline-end:auto;gap:.5rem}
.brand img{max-height:2rem;max-width:6rem}
.demo{background:var(--amber);color:var(--on-amber);padding:.5rem 1rem;text-align:center}
main{display:grid;gap:1rem;padding-block:1.25rem 2rem}
main>*{min-width:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem;display:grid;gap:.75rem;align-content:start}
.card>*{min-width:0}
.lead{font-size:1.125rem}
.dim{color:var(--dim)}
.button{display:inline-flex;justify-content:center;align-items:center;min-height:2.75rem;padding:.5rem 1.25rem;border:0;border-radius:.5rem;background:var(--fill);color:var(--ink);font:inherit;font-weight:600;text-decoration:none;text-align:center;cursor:pointer}
.button.quiet{background:none;color:var(--link);border:1px solid var(--link)}
.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
.grid{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));padding:0;margin:0;list-style:none}
.grid>li{border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem .75rem}
.stack{display:grid;gap:.75rem;padding:0;margin:0;list-style:none}
.stack>li+li{border-top:1px solid var(--line);padding-top:.75rem}
.state{display:inline-flex;gap:.4rem;align-items:baseline}
.state::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:var(--dot,var(--grey));flex:none}
.open{--dot:var(--green)}.soon{--dot:var(--blue)}.need{--dot:var(--orange)}.stop{--dot:var(--red)}
.sums{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.25rem 1rem}
.sums dt,.sums dd{margin:0}
.sums dd{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
.sums .all{font-weight:650;border-top:1px solid var(--line);padding-top:.25rem}
.sums .note{grid-column:1/-1;text-align:start;white-space:normal;color:var(--dim);font-size:.875rem;margin-bottom:.25rem}
.big{font-size:1.125rem;font-weight:650}
.big .all{border:0}
.big .note,.big dd.note{font-weight:400}
section,form{min-width:0}
section>h3+*{margin-top:.25rem}
.result{display:grid;gap:1.25rem;align-content:start;border-top:1px solid var(--line);padding-top:1rem}
.jump{display:flex;flex-wrap:wrap;gap:0 1.25rem}
.jump a,.tap{display:inline-flex;min-height:2.75rem;align-items:center}
fieldset{border:0;padding:0;margin:0;display:grid;gap:.25rem;min-width:0}
legend,.label{display:block;font-weight:600;padding:0;margin-bottom:.25rem}
.pick{display:flex;gap:.75rem;align-items:flex-start;padding:.625rem .75rem;min-height:2.75rem;border:1px solid var(--edge);border-radius:.5rem}
.pick+.pick{margin-top:.25rem}
.pick:has(:checked){border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link)}
.pick input{width:1.25rem;height:1.25rem;margin:.125rem 0 0;flex:none;accent-color:var(--link)}
.pick small,.pick b{display:block}
.pick small{color:var(--dim);font-size:.875rem}
select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.5rem;min-height:2.75rem;padding:.25rem .5rem;width:100%}
.time{list-style:none;padding:0;display:grid}
.time li{border-inline-start:2px solid var(--edge);padding:0 0 1rem 1.25rem;position:relative;margin-inline-start:.4rem}
.time li:last-child{border-color:transparent;padding-bottom:0}
.time li::before{content:"";position:absolute;inset-inline-start:-.45rem;top:.35rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--card);border:2px solid var(--edge)}
.time .done::before{background:var(--edge)}
.time .now::before{background:var(--fill);border-color:var(--link)}
.time b{display:block}
details{border-top:1px solid var(--line);padding-top:.5rem}
summary{cursor:pointer;font-weight:600;min-height:2.75rem;display:flex;align-items:center;gap:.5rem;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"+";color:var(--link);font-weight:650;width:1ch;flex:none}
details[open]>summary::before{content:"−"}
.foot{background:var(--card);border-top:1px solid var(--line)}
.foot>div{padding-block:1.25rem;display:grid;gap:.5rem}
.foot a{display:inline-flex;min-height:2.75rem;align-items:center}
@media(min-width:60rem){.two{gap:2rem;grid-template-columns:minmax(0,1fr) minmax(0,1.1fr);align-items:start}.two>.result{border:0;padding:0}h1{font-size:1.75rem}.half{grid-template-columns:1fr 1fr;align-items:start}}
@media print{.button,.top a:not(.brand),.skip{display:none}}
`
  .trim()
  .replace(/\n/g, '')

const light = {
  page: '#F5F8FA',
  card: '#FFFFFF',
  text: '#181C32',
  dim: '#565A73',
  line: '#E1E3EA',
  edge: '#7E8299',
  grey: '#7E8299',
  blue: '#0074B8',
  green: '#1B7F4B',
  orange: '#B35C00',
  red: '#C62A3B',
  amber: '#FFF3CD',
  'on-amber': '#4A3500',
}
const dark = {
  page: '#151521',
  card: colours.aside,
  text: '#E4E6EF',
  dim: '#B5B5C3',
  line: '#383852',
  edge: '#7E8299',
  grey: '#A1A5B7',
  blue: '#38B0F9',
  green: '#47BE7D',
  orange: '#F6A04D',
  red: '#F8808D',
  amber: '#4A3A10',
  'on-amber': '#FFE9B0',
}
const variables = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

const sheets = new Map<string, { css: string; hash: string }>()

/** The style sheet in a university's colour, with the hash by which the page's policy allows it. */
export function styleSheet(primaryColour: string) {
  const known = sheets.get(primaryColour)
  if (known) return known
  const { shades } = paletteOf(primaryColour)
  const fill = { fill: shades[5], ink: inkOn(shades[5]) }
  const css = `:root{color-scheme:light dark;${variables({ ...light, ...fill, link: shades[7] })}}
@media(prefers-color-scheme:dark){:root{${variables({ ...dark, link: shades[4] })}}}
${rules}`
  const sheet = { css, hash: sourceHash(css) }
  sheets.set(primaryColour, sheet)
  return sheet
}
