import { primaryShades } from '#domain/navigation/constants.ts'
import { inkOn } from '#domain/settings/palette.ts'

const [, , , , onDark, fill, , onLight] = primaryShades

/**
 * Styles of the payment page, light and dark. They are part of the page, so that one answer on a slow line is enough;
 * the product's own colour lets the policy name them by one hash.
 */
export const styles = `
:root{color-scheme:light dark;--page:#f5f6fa;--card:#fff;--text:#181c32;--quiet:#5e6278;--line:#7e8299;--rule:#d8dae5;
--link:${onLight};--fill:${fill};--ink:${inkOn(fill)};--good:#0b6e3b;--warn:#8a5300;--bad:#b3162b}
@media(prefers-color-scheme:dark){:root{--page:#151521;--card:#1e1e2d;--text:#e4e6ef;--quiet:#a1a5b7;--line:#8a8ea4;
--rule:#3a3b52;--link:${onDark};--good:#4ed08a;--warn:#f2b24d;--bad:#ff8b97}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:36rem;margin:auto;padding:.75rem 1rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;font-weight:600}
header span{display:flex;gap:.5rem;align-items:center;min-width:0}
header img{max-width:3rem;max-height:2.25rem}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.3}
h2{margin:0 0 .5rem;font-size:1.0625rem}
p{margin:.5rem 0}
a{color:var(--link)}
header a,.row a{display:inline-flex;min-height:2.75rem;align-items:center}
.card{margin:0 0 1rem;padding:1rem;border:1px solid var(--rule);border-radius:.75rem;background:var(--card)}
.quiet{color:var(--quiet);font-size:.9375rem}
.note{border-left:.25rem solid var(--warn);padding:.5rem .75rem}
.note.bad{border-left-color:var(--bad)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:.75rem 0 0}
dt{color:var(--quiet)}dd{margin:0;font-weight:600}
@media(max-width:26rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.375rem}}
.copy{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;justify-content:space-between;margin:.75rem 0}
.copy b{display:block;font-size:1.25rem;font-variant-numeric:tabular-nums}
button,.button{min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--card);color:var(--text);font:inherit;font-weight:600;cursor:pointer;text-align:center}
.button{display:block;text-decoration:none}
.main{width:100%;border-color:var(--fill);background:var(--fill);color:var(--ink)}
[hidden]{display:none!important}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
fieldset{margin:0 0 .75rem;padding:0;border:0;min-width:0}legend{padding:0;font-weight:600}
label{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;margin:.5rem 0;padding:.5rem .75rem;
border:1px solid var(--line);border-radius:.5rem}
input{width:1.25rem;height:1.25rem;flex:none;accent-color:var(--link)}
summary{min-height:2.75rem;padding:.5rem 0;font-weight:600;cursor:pointer;color:var(--link)}
ol{margin:0;padding-left:1.25rem}
.qr{display:block;width:min(14rem,100%);margin:.5rem auto;background:#fff;border-radius:.5rem}
.row{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:center;justify-content:space-between;padding:.25rem 0;
border-top:1px solid var(--rule)}
.spot,.aside{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`
