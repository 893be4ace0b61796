import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type BuildEnvironmentOptions, defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { assetBase } from '#domain/navigation/constants.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Takes schemas and summaries out of endpoint declarations, so that pages that only call the API load no schema library;
 * `whole` names the file where `useChecks` finds the declaration with its schemas.
 */
const endpointsWithoutSchemas = (): Plugin => ({
  name: 'endpoints-without-schemas',
  apply: 'build',
  transform: {
    filter: { id: /\/packages\/(domain|entities)\/src\/((.+[/-])?(endpoints|lists)|list)\.ts$/ },
    handler(code, id) {
      const program = this.parse(code)
      // Forms of an account check with the plain functions of `accounts/fields.ts`: the sign-in page carries no more.
      const file = id.slice(id.lastIndexOf('/src/') + 5, -'endpoints.ts'.length)
      const cuts: [start: number, end: number, instead: string][] = []
      const visit = (node: unknown): void => {
        if (Array.isArray(node)) {
          for (const item of node) visit(item)
          return
        }
        if (typeof node !== 'object' || node === null || !('type' in node)) return
        const call = node as unknown as {
          type: string
          callee?: { name?: string }
          arguments?: {
            start: number
            end: number
            properties?: { key?: { name?: string }; start: number; end: number }[]
          }[]
        }
        if (call.type === 'CallExpression' && /^(endpoint|defineList)$/.test(call.callee?.name ?? '')) {
          for (const property of call.arguments?.[0]?.properties ?? []) {
            const key = property.key?.name ?? ''
            const instead = key === 'body' && !/^accounts\/(?!staff)/.test(file) ? `whole: '${file}'` : ''
            if (['summary', 'params', 'query', 'body', 'rules', 'response', 'row'].includes(key))
              cuts.push([property.start, property.end, instead])
          }
        }
        // A step of a registration passes its body to the endpoint that it declares.
        if (call.type === 'CallExpression' && call.callee?.name === 'action' && call.arguments?.[2])
          cuts.push([call.arguments[2].start, call.arguments[2].end, 'undefined'])
        for (const value of Object.values(node)) visit(value)
      }
      visit(program)
      let result = code
      for (const [start, end, instead] of cuts.sort((a, b) => b[0] - a[0])) {
        const rest = result.slice(end)
        result = result.slice(0, start) + (instead ? `${instead}${rest}` : rest.replace(/^\s*,/, ''))
      }
      // Files of their own would bring the schema library along; here nothing but other schemas, which go too, reads these.
      const withoutFiles = result
        .replace(/^import \{ time \} from .*$/m, 'const time = z.string()')
        .replace(/^import \{ typed(Text|Line)(?:, typed(Text|Line))? \} from .*typed-text.*$/m, '')
        .replace(/\btyped(Text|Line)\(/g, 'z.string(')
      return { code: withoutFiles, map: null }
    },
  },
})

/** Whole declarations take schemas from whole declarations, or else the pages that only call would carry them. */
const wholeFromWhole = (): Plugin => ({
  name: 'whole-from-whole',
  apply: 'build',
  transform: {
    filter: { id: /endpoints\.ts\?whole$/ },
    handler: (code) => ({ code: code.replace(/(from\s*["'][^"']*endpoints\.ts)(["'])/g, '$1?whole$2'), map: null }),
  },
})

/**
 * Renames `z` in the minified files of Preact. The build removes unused calls of that name (`manualPureFunctions`), and
 * among them would be the function that draws.
 */
const drawingIsNoSchema = (): Plugin => ({
  name: 'drawing-is-no-schema',
  apply: 'build',
  transform: {
    filter: { id: /\/node_modules\/preact\// },
    handler: (code) => ({ code: code.replace(/(?<![\w$.])z(?![\w$])/g, 'z_'), map: null }),
  },
})

/**
 * The screens live at the root, the built files below /app/: in development the page is served for every screen, that of
 * surveys for theirs.
 */
const screensAtRoot = (): Plugin => ({
  name: 'screens-at-root',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const url = request.url ?? '/'
      if (
        !/^\/(app|api|daftar|getImage|@|node_modules)(\/|\?|$)/.test(url) &&
        request.headers.accept?.includes('text/html')
      )
        request.url = url.startsWith('/survei/') ? '/app/survey.html' : '/app/index.html'
      next()
    })
  },
})

/**
 * Refuses a build in which two files import each other. Groups of modules can bring that about where no module does, and the
 * browser would then run one of them before what it stands on.
 */
const noFilesInCircles = (): Plugin => ({
  name: 'no-files-in-circles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const done = new Set<string>()
    const visit = (name: string, path: readonly string[]) => {
      if (path.includes(name)) {
        const modules = (file: string) => (bundle[file] as { moduleIds: string[] }).moduleIds.slice(0, 3).join(', ')
        const circle = path.slice(path.indexOf(name)).map((file) => `${file} (${modules(file)} …)`)
        this.error(`These files import each other: ${circle.join(' and ')}`)
      }
      const file = bundle[name]
      if (done.has(name) || file?.type !== 'chunk') return
      for (const next of file.imports) visit(next, [...path, name])
      done.add(name)
    }
    for (const name of Object.keys(bundle)) visit(name, [])
  },
})

const script = readFileSync(path('apps/web/public/first-paint.js'))
/** Its name holds its content's hash: a server of another build must not answer with its own script. */
const firstPaint = {
  script,
  name: `assets/first-paint-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`,
}

/** Names in the page the files of each language and of the frame, so that `first-paint.js` asks for them at once. */
const namesFirstFiles = (): Plugin => ({
  name: 'names-first-files',
  apply: 'build',
  generateBundle() {
    if (this.environment.name === 'client')
      this.emitFile({ type: 'asset', fileName: firstPaint.name, source: firstPaint.script })
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith('index.html')) return html
      const files: Record<string, string[]> = {}
      let importsOfFrame: string[] = []
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.name === 'frame') importsOfFrame = chunk.imports
        if (chunk.type === 'chunk' && /^(frame|sign-up|(texts|dashboard)-(en|id))$/.test(chunk.name))
          files[chunk.name] = [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])].map(
            (file) => assetBase + file,
          )
      }
      const inPage = (file: string) => html.includes(`"${file}"`)
      files.frame?.push(...importsOfFrame.map((file) => assetBase + file).filter((file) => !inPage(file)))
      if (!html.includes('/first-paint.js"')) this.error('The page does not name first-paint.js')
      return html
        .replace('/first-paint.js"', `/${firstPaint.name}"`)
        .replace('<script', `<meta name="files" content='${JSON.stringify(files)}' />\n    <script`)
    },
  },
})

/** Draws the forms of the first HTML into a file that the server reads. */
const drawsFirstPage = (): Plugin => ({
  name: 'draws-first-page',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'firstPage',
  async writeBundle({ dir }) {
    const env = { ...process.env, NODE_ENV: 'production' }
    const stubs = new URL('apps/web/src/first-page/browser-stubs.mjs', import.meta.url).href
    const target = path('apps/web/dist/first-page.json')
    await promisify(execFile)(process.execPath, ['--import', stubs, `${dir}/write.mjs`, target], { env })
    await fs.rm(dir!, { recursive: true })
  },
})

const compress = promisify(zlib.brotliCompress)

/**
 * Writes a `.br` beside each file of a build, which the server sends as it is: a sixth smaller than what it could compress
 * while a reader waits.
 */
async function compressOnce() {
  const assets = path('apps/web/dist/assets')
  const names = await fs.readdir(assets)
  const writtenAt = async (name: string) => (await fs.stat(`${assets}/${name}`).catch(() => ({ mtimeMs: 0 }))).mtimeMs
  const compressFile = async (name: string) => {
    if ((await writtenAt(`${name}.br`)) > (await writtenAt(name))) return
    const content = await fs.readFile(`${assets}/${name}`)
    if (content.length < 512) return
    const params = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    // A server that answers meanwhile finds all of the file or none.
    await fs.writeFile(`${assets}/${name}.new`, await compress(content, { params }))
    await fs.rename(`${assets}/${name}.new`, `${assets}/${name}.br`)
  }
  await Promise.all(names.filter((name) => /\.(js|css|svg)$/.test(name)).map(compressFile))
}

const server = process.env.PMB_API ?? 'http://127.0.0.1:3000'

const buildOptions: BuildEnvironmentOptions = {
  outDir: path('apps/web/dist'),
  // Files of earlier builds stay for tabs that are open: scripts/steps.mjs deletes them after a while.
  emptyOutDir: false,
  // A browser that does not know the hint loads each file when it is imported.
  modulePreload: { polyfill: false },
  target: 'es2022',
  assetsInlineLimit: 0,
  // The decoder of HEIC photos, a file of its own that few phones load, has 2,996 kB.
  chunkSizeWarningLimit: 3000,
}
const treeshake = {
  manualPureFunctions: ['z', 'time', 'typedText', 'typedLine', 'endpoint', 'defineList', 'once', 'oncePer'],
  // Declarations do nothing when they are loaded: otherwise each call would bring the schemas that its file imports.
  moduleSideEffects: [{ test: /\/packages\/(domain|entities)\/src\//, sideEffects: false }],
}
// The first page carries the names of all files: hashes alone are a third shorter.
const fileNames = { chunkFileNames: 'assets/[hash:7].js', assetFileNames: 'assets/[hash:7][extname]' }

/** Id of one of our modules. */
const fileOf = (name: string) => path(`apps/web/src/${name}`).replaceAll('\\', '/')
type Graph = { getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null }

/** Whether a module declares schemas: in the file of a layer it would bring the schema library along. */
const declaresSchemas = (id: string, graph: Graph) =>
  !/(endpoints|lists|\/domain\/src\/list)\.ts$/.test(id) &&
  (graph.getModuleInfo(id)?.importedIds ?? []).some((imported) => imported.includes('/node_modules/zod/'))

/** Our own modules and the style sheets that `roots` import, without what they load later. */
function importedBy(roots: readonly string[], graph: Graph): Set<string> {
  const seen = new Set<string>()
  const waiting = [...roots]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id) || (id.includes('/node_modules/') && !/@mantine\/core.*\.css$/.test(id))) continue
    seen.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return seen
}

/** Pages of some modules, without what they load later. */
const pagesOf = (nouns: readonly string[], graph: Graph) =>
  nouns.flatMap((noun) => graph.getModuleInfo(fileOf(`modules/${noun}/pages.ts`))?.dynamicallyImportedIds ?? [])

/**
 * Files by the pages that need them. A module belongs to the first layer that imports it. Its own imports belong to that
 * layer or an earlier one, so that no two layers import each other.
 */
const layers: { name: string; roots: (graph: Graph) => string[] }[] = [
  {
    name: 'entrance',
    roots: () =>
      ['main.tsx', 'modules/accounts/sign-in-page.tsx', 'modules/accounts/sign-up/open-waves.tsx'].map(fileOf),
  },
  { name: 'sign-up', roots: () => [fileOf('modules/accounts/sign-up/sign-up-page.tsx')] },
  {
    name: 'frame',
    roots: () => ['app/layouts/app-layout.tsx', 'modules/admissions/dashboard/dashboard-page.tsx'].map(fileOf),
  },
  {
    name: 'forms',
    roots: () =>
      [
        ...['ui/form/form.tsx', 'api/use-form.ts', 'api/use-checks.ts'],
        // Small parts that would otherwise bring the lists to pages without one.
        ...['ui/page-header.tsx', 'ui/text/money.tsx', 'ui/states/empty-state.tsx'],
      ].map(fileOf),
  },
  { name: 'lists', roots: () => [fileOf('list/data-list.tsx')] },
  {
    // From the first registration to enrolment.
    name: 'applicant',
    roots: (graph) => pagesOf(['accounts', 'admissions', 'applicants', 'documents', 'enrolment', 'payments'], graph),
  },
  {
    name: 'public',
    roots: (graph) =>
      pagesOf(
        ['admission-calendar', 'affiliates', 'campaigns', 'chat', 'errors', 'events', 'outbox', 'verification'],
        graph,
      ),
  },
  { name: 'staff', roots: () => [fileOf('app/staff-pages.ts')] },
]

/** Layers of many pages: a module that a single page imports stays in the file of that page. */
const sharedOnly = /^(applicant|review|public)$/

let layerOfModule: Map<string, string> | undefined
function layerOf(id: string, graph: Graph): string | null {
  if (!layerOfModule) {
    layerOfModule = new Map()
    for (const { name, roots } of layers)
      for (const module of importedBy(roots(graph), graph))
        if (!layerOfModule.has(module) && !declaresSchemas(module, graph))
          // Staff review documents on pages that applicants open too.
          layerOfModule.set(module, module.includes('/modules/documents/review/') ? 'review' : name)
    // The entry stays a file of its own, because the page names it.
    layerOfModule.delete(fileOf('main.tsx'))
  }
  return layerOfModule.get(id) ?? null
}

/** The one control that sign-up draws and sign-in does not. */
const drawnBySignUp = /\/@mantine\/core\/esm\/(components\/Checkbox\/|utils\/In(lineInput|putsGroupFieldset)\/)/

/** Parts of libraries that the frame around every page of a signed-in person draws. */
const drawnByFrame =
  /\/node_modules\/(@mantine\/(core\/esm\/components\/(Avatar|Badge|Drawer|FocusTrap|Indicator|Menu|ModalBase|Overlay|Popover|Portal|ScrollArea|Tooltip)\/|core\/esm\/(?!components|utils\/In(lineInput|putsGroupFieldset))|hooks\/(?!esm\/use-(clipboard|collapse|eye-dropper|pagination)\/)|store|notifications\/esm\/notifications\.store|spotlight\/esm\/spotlight\.store|dates\/esm\/components\/DatesProvider\/)|@tabler\/icons-react\/dist\/esm\/icons\/Icon(LayoutSidebarLeft(Collapse|Expand)|Menu2|MessageCircle|Ticket)\.|dayjs\/|@floating-ui\/|get-nonce\/|tslib\/|react-remove-scroll|react-style-singleton\/|use-callback-ref\/|use-sidecar\/|aria-hidden\/)/

/** For each language one file with the sentences of the entrance and one with those of the dashboard. */
const textsOf = (id: string) => {
  const [, language, name = ''] = /\/locales\/src\/(\w+)\/([\w-]+)\.ts$/.exec(id) ?? []
  if (/^(common|titles|accounts)$/.test(name)) return `texts-${language}`
  return /^(navigation|dashboard|registration|admissions)$/.test(name) ? `dashboard-${language}` : null
}

export default defineConfig({
  root: path('apps/web'),
  base: assetBase,
  publicDir: path('apps/web/public'),
  plugins: [
    // Preact draws the page of surveys, whose files name it; React's fast refresh does not know its components.
    react({ refreshExclude: [/\/node_modules\//, /\/src\/survey\//] }),
    endpointsWithoutSchemas(),
    wholeFromWhole(),
    drawingIsNoSchema(),
    screensAtRoot(),
    noFilesInCircles(),
    namesFirstFiles(),
    drawsFirstPage(),
  ],
  server: { proxy: { '/api': server, '/getImage': server, '/daftar': server } },
  preview: { proxy: { '/api': server, '/getImage': server, '/daftar': server } },
  builder: {
    async buildApp(builder) {
      // A first start does without the last two until the server answers.
      for (const part of (process.env.BUILD_PARTS ?? 'client survey firstPage compressed').split(' '))
        await (part === 'compressed' ? compressOnce() : builder.build(builder.environments[part]!))
    },
  },
  environments: {
    // A program that draws the first HTML; the product never runs it.
    firstPage: {
      consumer: 'server',
      build: {
        ...buildOptions,
        outDir: path('apps/web/dist/.first-page'),
        emptyOutDir: true,
        copyPublicDir: false,
        minify: false,
        rolldownOptions: {
          input: path('apps/web/src/first-page/write.ts'),
          // Drawing takes longer than the build around it, of which the build would warn.
          checks: { bundlerTimings: false },
          treeshake,
          output: { entryFileNames: '[name].mjs', chunkFileNames: '[hash].mjs' },
        },
      },
    },
    // The public page of surveys shares no file with the app, so that neither grows with the other.
    survey: {
      consumer: 'client',
      resolve: { conditions: [...defaultClientConditions] },
      build: {
        ...buildOptions,
        manifest: '.vite/survey.json',
        copyPublicDir: false,
        rolldownOptions: { input: path('apps/web/survey.html'), treeshake, output: fileNames },
      },
    },
  },
  build: {
    ...buildOptions,
    manifest: true,
    rolldownOptions: {
      treeshake,
      output: {
        ...fileNames,
        codeSplitting: {
          groups: [
            {
              // Changes with a library only, so that a returning reader has it already. `with-selector` is for charts alone.
              name: 'base',
              test: /rolldown\/runtime|\/node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|@tanstack\/(query-core|react-query)|use-sync-external-store(?!.*with-selector)|clsx)\//,
            },
            {
              // The controls of the entrance pages and what every control stands on: one file instead of thirty.
              name: 'first',
              test: /\/node_modules\/@mantine\/(hooks\/esm\/use-merged-ref\/|core\/esm\/core\/|core\/esm\/components\/(Alert|ActionIcon|Anchor|Button|CloseButton|Divider|Group|Input|InputBase|Loader|Paper|PasswordInput|Skeleton|Stack|Text|TextInput|Title|Transition|UnstyledButton|VisuallyHidden)\/|core\/esm\/components\/(Accordion\/AccordionChevron|Checkbox\/CheckIcon|Radio\/RadioIcon))/,
            },
            {
              // The schema library and the words of schemas come with the first form that checks.
              name: 'schemas',
              includeDependenciesRecursively: false,
              test: /\/node_modules\/zod\/|\/entities\/src\/define\/(answer-time|row-version|typed-[\w-]+)\.ts$|\/domain\/src\/file-query\.ts$/,
            },
            { debugName: 'texts', name: textsOf, includeDependenciesRecursively: false, test: /\/locales\/src\/\w+\// },
            {
              debugName: 'layers',
              name: (id, graph) => {
                const layer = layerOf(id, graph)
                if (layer) return sharedOnly.test(layer) ? null : layer
                return drawnBySignUp.test(id) ? 'sign-up' : drawnByFrame.test(id) ? 'frame' : null
              },
              includeDependenciesRecursively: false,
            },
            {
              debugName: 'pages',
              name: (id, graph) => {
                const layer = layerOf(id, graph)
                return layer && sharedOnly.test(layer) ? layer : null
              },
              includeDependenciesRecursively: false,
              minShareCount: 2,
            },
            {
              // The other controls that several pages show: one file instead of forty.
              name: 'controls',
              includeDependenciesRecursively: false,
              minShareCount: 8,
              test: /\/node_modules\/(@mantine\/core\/esm\/components\/(?!Checkbox|InlineInput)|@mantine\/hooks\/|react-number-format\/)/,
            },
            {
              name: 'dates',
              includeDependenciesRecursively: false,
              minShareCount: 8,
              test: /\/node_modules\/@mantine\/dates\//,
            },
            {
              // Icons that many pages share: one name in the list of files that the first page carries, not thirty.
              name: 'icons',
              test: /\/@tabler\/icons-react\//,
              includeDependenciesRecursively: false,
              minShareCount: 2,
            },
            {
              // One file for all pages of the style guide, whose names the first page would carry too.
              name: 'guide',
              includeDependenciesRecursively: false,
              test: /\/apps\/web\/src\/modules\/samples\/(?!pages\.ts)/,
            },
            {
              // Parts that several pages of staff share, by their noun.
              debugName: 'nouns',
              name: (id) => /\/web\/src\/modules\/([\w-]+)\/.*(?<!-page|\/pages)\.(tsx?|css)$/.exec(id)?.[1] ?? null,
              includeDependenciesRecursively: false,
              minShareCount: 2,
            },
            {
              // What several pages of staff share of the declarations; schemas come with a form.
              debugName: 'declarations',
              name: (id, graph) => (declaresSchemas(id, graph) ? null : 'declarations'),
              includeDependenciesRecursively: false,
              minShareCount: 2,
              test: /\/packages\/(domain|entities)\/src\/(?!payments\/(providers|reconciliation)\/)[^?]+$/,
            },
            {
              name: 'parts',
              includeDependenciesRecursively: false,
              minShareCount: 2,
              test: /\/apps\/web\/src\/(ui|api|shell|resource|offline|list)\//,
            },
          ],
        },
      },
    },
  },
})
