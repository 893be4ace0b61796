import fs from 'node:fs'
import path from 'node:path'

/** Checks imports between folders; type imports count like any other. */
const root = path.resolve(import.meta.dirname, '../..')

type Rule = {
  name: string
  from: RegExp
  except?: RegExp
  /** Forbidden targets; `$1` stands for the first group of `from`. */
  to: string
  /** `import('…')` is free: the file only names what another program loads. */
  lazyIsFree?: true
}

const server = 'apps/server/src'
const modules = `${server}/modules`
/** Rooms of payments, lowest first, each with the rooms it may import: the same in server, web and domain. */
const roomsOfPayments: Record<string, readonly string[]> = {
  approvals: [],
  providers: ['approvals'],
  bills: ['approvals', 'providers'],
  money: ['approvals', 'providers', 'bills'],
  banks: ['approvals', 'providers', 'bills', 'money'],
  reconciliation: ['approvals', 'providers', 'bills', 'money', 'banks'],
  proofs: ['approvals', 'providers', 'bills', 'money', 'banks', 'reconciliation'],
  links: ['approvals', 'providers', 'bills', 'money', 'banks'],
}

const ruleOfRoom = ([room, below]: [string, readonly string[]]): Rule => ({
  name: `in payments ${room} may import ${below.join(', ') || 'no other room'}`,
  from: new RegExp(`^(apps/server/src/modules|apps/web/src/modules|packages/domain/src)/payments/${room}/`),
  except: isTest,
  to: `^$1/payments/(?!(${[room, ...below].join('|')})/)`,
})

const isTest = /(\.test\.tsx?|\.e2e\.ts)$/
/** Page declarations: data that Node reads directly. */
const pageFiles = 'apps/web/src/(?:.+/)?(?:all-|staff-)?pages?\\.(?:ts|mjs)$'

const rules: readonly Rule[] = [
  { name: 'packages import no app', from: /^packages\//, except: isTest, to: '^apps/' },
  {
    name: 'entities know only themselves',
    from: /^packages\/entities\//,
    except: /(\.test\.ts|endpoints\.ts)$/,
    to: '^packages/(?!entities/)',
  },
  {
    name: 'the server knows nothing of the web',
    from: /^apps\/server\//,
    except: /^apps\/server\/(seeds\/|.*\.test\.ts$)/,
    to: '^apps/web/',
  },
  {
    name: 'seeds and tests of the server know the pages of the web and nothing else of it',
    from: /^apps\/server\/(seeds\/|.*\.test\.ts$)/,
    to: `^apps/web/(?!${pageFiles.slice('apps/web/'.length)})`,
  },
  {
    name: 'pages are declared as data: the server reads them, and no script of the web can run there',
    from: new RegExp(`^${pageFiles}`),
    to: `^(?!packages/|${pageFiles})`,
    lazyIsFree: true,
  },
  { name: 'the web knows nothing of the server', from: /^apps\/web\//, to: '^apps/server/' },
  {
    name: 'platform is the ground everything stands on',
    from: /^apps\/server\/src\/platform\//,
    except: /(\.test\.ts|start-services\.ts)$/,
    to: `^${server}/(resource/|modules/|app\\.ts|jobs\\.ts|main\\.ts|worker\\.ts)`,
  },
  {
    name: 'the engine calls no module',
    from: /^apps\/server\/src\/resource\//,
    except: isTest,
    to: `^${modules}/`,
  },
  { name: 'ui imports nothing of ours', from: /^apps\/web\/src\/ui\//, except: isTest, to: '^apps/web/src/(?!ui/)' },
  {
    name: 'the shell of the web lies below modules, lists, resources and the app',
    from: /^apps\/web\/src\/shell\//,
    except: isTest,
    to: '^apps/web/src/(modules|list|resource|app)/',
  },
  {
    name: 'modules, lists and resources of the web lie below the app',
    from: /^apps\/web\/src\/(modules|list|resource)\//,
    except: isTest,
    to: '^apps/web/src/app/',
  },
  {
    name: 'the public page of surveys knows of the app only offline work, small helpers and shrinking pictures',
    from: /^apps\/web\/src\/survey\//,
    except: isTest,
    to: '^apps/web/src/(?!survey/|offline/(?!use-)|ui/stored\\.ts|ui/form/shrink-image\\.ts)',
  },
  {
    name: 'the list of staff knows no entity and no module',
    from: /^apps\/web\/src\/list\//,
    except: isTest,
    to: '^apps/web/src/(resource|modules)/',
  },
  {
    name: 'on the web only pages combine modules, and the door lies below the others',
    from: /^apps\/web\/src\/modules\/([^/]+)\//,
    except: /(-page\.tsx|\.test\.tsx?|master\/extras\.tsx)$/,
    to: '^apps/web/src/modules/(?!$1/|door/)',
  },
  ...Object.entries(roomsOfPayments).map(ruleOfRoom),
  { name: 'tests stay out of the program', from: /^apps\/server\/src\//, except: isTest, to: '^apps/server/test/' },
]

/**
 * Server modules, bottom up: each may import the modules in its row, which are above it in this table. In the other
 * direction, modules use events (`services.jobs.publish`). What two modules need and neither owns belongs to platform.
 */
const modulesCalledBy: Record<string, readonly string[]> = {
  // Bottom: these call no other module.
  messaging: [],
  access: [],
  'admission-calendar': [],
  'admission-year': [],
  applicants: [],
  audit: [],
  // Records scans at any door; events and tests say who may come in.
  door: [],
  'master-data': [],
  settings: [],
  transfer: [],
  views: [],
  // Stores the seasons' history; reports read it.
  seasons: [],
  // The workbook imports many lists at once.
  workbook: ['transfer'],
  // Score files; publishing results pins the scores they are based on.
  scores: ['transfer'],

  // These send notifications.
  accounts: ['messaging'],
  ops: ['messaging'],
  payments: ['messaging'],
  health: ['messaging', 'payments'],
  schools: ['messaging'],
  whatsapp: ['messaging'],

  // The applicant's path.
  fees: ['payments'],
  admissions: ['applicants', 'payments', 'messaging', 'scores'],
  // Opens account and registration for a person at the counter.
  counter: ['accounts', 'admissions'],
  // The public pages before an account: intake and prices.
  prospectus: ['admissions', 'payments'],
  letters: ['admissions'],
  testing: ['admissions', 'door', 'messaging', 'scores'],
  selection: ['admissions'],
  students: ['admissions', 'payments', 'messaging', 'letters'],
  // Reports read any table in SQL and write none; `students` defines what the ministry's register requires.
  reports: ['seasons', 'students'],
  // Runs reports for each recipient and mails them.
  'report-mail': ['reports', 'messaging'],
  affiliates: ['admissions', 'payments', 'messaging'],
  // People who agreed to be contacted; events and surveys add them.
  leads: ['affiliates', 'messaging', 'transfer'],
  events: ['door', 'messaging', 'affiliates', 'leads'],
  // Writes to people listed by other modules, and reads files like imports.
  campaigns: ['messaging', 'whatsapp', 'admissions', 'leads', 'payments', 'transfer'],
  // Hands messages and recipients of campaigns to their channels.
  sending: ['messaging', 'whatsapp', 'campaigns'],
  // Shows what blocks a person and the next bill; who writes by WhatsApp becomes a lead.
  chat: ['messaging', 'admissions', 'leads', 'payments', 'whatsapp'],
  // Searches schools like applicants do.
  surveys: ['applicants', 'leads'],

  // Collects the modules' decisions about a registration.
  evidence: ['admissions', 'selection'],

  // One public page verifies everything printed.
  verification: ['admissions', 'letters', 'students'],

  // The checklist asks which banks issue numbers.
  opening: ['payments'],
  // A trial walks the way of an applicant by calls, and reads how far it has come.
  trial: ['accounts', 'applicants', 'payments', 'sending'],

  // Cards use the counts of the reports and queues they open.
  dashboards: ['reports', 'seasons', 'admissions', 'affiliates', 'leads'],

  // The search asks each module for its own rows.
  search: ['accounts', 'admissions'],
}

const homes: Record<string, string> = {
  '#domain/': 'packages/domain/src/',
  '#entities/': 'packages/entities/src/',
  '#locales/': 'packages/locales/src/',
  '#server/': 'apps/server/src/',
  '#server-test/': 'apps/server/test/',
  '#web/': 'apps/web/src/',
  '#web-test/': 'apps/web/test/',
  '#seeds/': 'apps/server/seeds/',
}

function sources(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'node_modules' ? [] : sources(file)
    return /\.(tsx?|mjs)$/.test(entry.name) ? [file] : []
  })
}

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const statement = /^\s*(?:import|export)\s+(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

const isOfSurveyPage = /^apps\/web\/src\/survey\//
const drawnByPreact = /^apps\/web\/src\/survey\/.+\.tsx$/
/** Without the pragma, JSX makes elements of React. */
const preactPragma = '/** @jsxImportSource preact */'

type Import = { target: string; lazy: boolean }

function importsOf(file: string): Import[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  if (drawnByPreact.test(file) && !text.startsWith(preactPragma))
    problems.push(`${file}: begin with "${preactPragma}", because Preact draws the public page of surveys`)
  if (isOfSurveyPage.test(file) && /from 'react|@mantine/.test(text))
    problems.push(`${file} imports a library of the app: the public page of surveys has its own`)
  return [...text.matchAll(statement)].flatMap(([, staticName, dynamicName]) => {
    const name = (staticName ?? dynamicName)!
    if (name.startsWith('../'))
      problems.push(`${file} imports '${name}': outside its folder a file is named by its alias`)
    const home = Object.keys(homes).find((prefix) => name.startsWith(prefix))
    const target = name.startsWith('.')
      ? path.posix.normalize(`${path.posix.dirname(file)}/${name}`)
      : home && homes[home] + name.slice(home.length)
    return target ? { target, lazy: dynamicName !== undefined } : []
  })
}

const problems: string[] = []
const graph = new Map(['apps', 'packages'].flatMap(sources).map((file) => [file, importsOf(file)]))

for (const [file, imports] of graph)
  for (const rule of rules) {
    const match = rule.from.exec(file)
    if (!match || rule.except?.test(file)) continue
    const forbidden = new RegExp(rule.to.replaceAll('$1', match[1] ?? ''))
    for (const { target, lazy } of imports)
      if (forbidden.test(target) && !(lazy && rule.lazyIsFree)) problems.push(`${file} imports ${target}: ${rule.name}`)
  }

const ground = Object.keys(modulesCalledBy)
for (const [name, called] of Object.entries(modulesCalledBy))
  for (const other of called)
    if (!ground.slice(0, ground.indexOf(name)).includes(other))
      problems.push(`scripts/rules/import-rules.ts: ${name} calls ${other}, which has no row above it`)

const moduleOf = (file: string) => new RegExp(`^${modules}/([^/]+)/`).exec(file)?.[1]
for (const name of new Set([...graph.keys()].map(moduleOf)))
  if (name && !modulesCalledBy[name]) problems.push(`${modules}/${name} has no row in the table of modules`)

for (const [file, imports] of graph) {
  const from = moduleOf(file)
  if (!from || isTest.test(file)) continue
  for (const { target } of imports) {
    const to = moduleOf(target)
    if (to && to !== from && !modulesCalledBy[from]?.includes(to))
      problems.push(
        `${file} imports ${target}: the table of modules does not let ${from} call ${to}: publish an event, or move what both need to platform`,
      )
  }
}

/** Files on the path of the depth-first search; an import of one of them closes a cycle. */
const openFiles: string[] = []
const visitedFiles = new Set<string>()
function visit(file: string) {
  if (visitedFiles.has(file)) return
  const start = openFiles.indexOf(file)
  if (start >= 0) {
    problems.push(`circle: ${[...openFiles.slice(start), file].join(' → ')}`)
    return
  }
  openFiles.push(file)
  for (const { target } of graph.get(file) ?? []) visit(target)
  openFiles.pop()
  visitedFiles.add(file)
}
for (const file of graph.keys()) visit(file)

if (graph.size < 50) problems.push(`only ${graph.size} files were read`)
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'))
  process.exitCode = 1
}
