import { fileURLToPath } from 'node:url'
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
          arguments?: { properties?: { key?: { name?: string }; start: number; end: number }[] }[]
        }
        if (call.type === 'CallExpression' && /^(endpoint|defineList)$/.test(call.callee?.name ?? '')) {
          for (const property of call.arguments?.[0]?.properties ?? []) {
            const key = property.key?.name ?? ''
            const instead = key === 'body' && !/^accounts\/(?!staff)/.test(file) ? `whole: '${file}'` : ''
            if (['summary', 'params', 'query', 'body', 'rules', 'response', 'row'].includes(key))
              cuts.push([property.start, property.end, instead])
          }
        }
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
        .replace(
          /^import \{ typed\w+(?:, typed\w+)? \} from .*typed-text.*$/m,
          'const typedText = z.string, typedLine = z.string',
        )
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
      if (!/^\/(app|api|getImage|@|node_modules)(\/|\?|$)/.test(url) && request.headers.accept?.includes('text/html'))
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

const server = process.env.PMB_API ?? 'http://127.0.0.1:3000'

const buildOptions: BuildEnvironmentOptions = {
  outDir: path('apps/web/dist'),
  // Files of earlier builds stay for tabs that are open: scripts/steps.mjs deletes them after a while.
  emptyOutDir: false,
  // A browser that does not know the hint loads each file when it is imported.
  modulePreload: { polyfill: false },
  target: 'es2022',
  assetsInlineLimit: 0,
  chunkSizeWarningLimit: 700,
}
const treeshake = {
  manualPureFunctions: ['z', 'time', 'typedText', 'typedLine', 'endpoint', 'defineList', 'once', 'oncePer'],
}
// The first page carries the names of all files: hashes alone are a third shorter.
const fileNames = { chunkFileNames: 'assets/[hash:7].js', assetFileNames: 'assets/[hash:7][extname]' }

const within = (folder: string, names: string) => names.split(' ').map((name) => `${folder}${name}`)

/** Beginnings of the modules, from some folder on, that the frame around the pages of a signed-in person consists of. */
const inFrame = [
  within('/web/src/app/layouts/', 'app-layout date-words'),
  within('/web/src/app/parts/', 'aside. bottom-bar. breadcrumbs. header. language-switch. notifications-bell.'),
  within('/web/src/app/parts/', 'scroll-top. theme-switch. user-menu.'),
  within('/web/src/modules/', 'chat/ask-store. chat/ask-us. chat/use-waiting. errors/forbidden.'),
  within('/web/src/modules/search/', 'early-keys. menu-search. menu-search-store.'),
  within('/web/src/shell/', 'date-locale. layout-settings. menu/ way-back.'),
  within('/web/src/ui/', 'card. states/missing. text/date-text.'),
  within('/domain/src/admissions/', 'decision-checks. endpoints. intake-schemas. requested-actions.'),
  within('/domain/src/admissions/', 'registration-status. schemas. stages. todo.'),
  within(
    '/domain/src/',
    'chat/endpoints. list. messaging/endpoints. messaging/placeholders. payments/bills/bill-status.',
  ),
  within('/entities/src/', 'define/answer-time. messaging/message-events.'),
  within('/@tabler/icons-react/dist/esm/icons/Icon', 'LayoutSidebarLeft Menu2. MessageCircle.'),
  within('/@mantine/core/esm/components/', 'Avatar/ Drawer/ Indicator/'),
  within(
    '/node_modules/',
    'dayjs/ @mantine/dates/esm/components/DatesProvider/ @mantine/spotlight/esm/spotlight.store',
  ),
].flat()

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
  ],
  server: { proxy: { '/api': server, '/getImage': server } },
  preview: { proxy: { '/api': server, '/getImage': server } },
  // `vite build` builds every environment.
  builder: {},
  environments: {
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
              test: /\/node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|@tanstack\/(query-core|react-query)|use-sync-external-store(?!.*with-selector)|clsx)\//,
            },
            {
              // The controls of the entrance pages and what every control stands on: one file instead of thirty.
              name: 'first',
              test: /\/node_modules\/@mantine\/core\/esm\/(core|components\/(Alert|ActionIcon|Anchor|Button|CloseButton|Divider|Group|Input|InputBase|Loader|Paper|PasswordInput|Skeleton|Stack|Text|TextInput|Title|Transition|UnstyledButton|VisuallyHidden))\//,
            },
            {
              // Our own small files that the sign-in page needs: together they compress better than one by one.
              name: 'entrance',
              test: /\/apps\/web\/src\/(api\/(client|failures|query|quiet-reads|send)|shell\/branding|ui\/(icons|stored|states\/failure)|modules\/accounts\/(sign-up\/)?(arrival|open-waves|google-button|keep-study-choice|use-auth-options|use-fields|use-intake))\.tsx?$|\/packages\/(domain\/src\/(endpoint|accounts\/(fields|mailbox|phone))|entities\/src\/define\/(phone|foreign-phone\.browser)|locales\/src\/format)\.ts$/,
            },
            {
              // The other controls that several pages show, and what they stand on: one file instead of forty.
              name: 'controls',
              includeDependenciesRecursively: false,
              minShareCount: 8,
              test: /\/node_modules\/(@mantine\/(core\/(?!esm\/components\/(Avatar|Drawer|Indicator))|hooks|store|notifications|spotlight)|@floating-ui\/|tslib\/|react-remove-scroll|react-style-singleton\/|use-callback-ref\/|use-sidecar\/|aria-hidden\/)/,
            },
            {
              name: 'dates',
              includeDependenciesRecursively: false,
              minShareCount: 8,
              test: /\/node_modules\/@mantine\/dates\/(?!esm\/components\/DatesProvider)/,
            },
            {
              // The frame around every page of a signed-in person.
              name: 'frame',
              includeDependenciesRecursively: false,
              test: (id) => !id.endsWith('?whole') && inFrame.some((beginning) => id.includes(beginning)),
            },
            {
              // Our own small parts of pages.
              name: 'parts',
              includeDependenciesRecursively: false,
              minShareCount: 12,
              test: /\/apps\/web\/src\/ui\/(?!form\/(password-input|forget-drafts)|states\/loading-rows)/,
            },
            {
              // Lists and the declarations they read.
              name: 'lists',
              includeDependenciesRecursively: false,
              test: /\/apps\/web\/src\/list\/|\/packages\/entities\/src\/(?!define\/)/,
            },
            {
              // Icons that many pages share: one name in the list of files that the first page carries, not thirty.
              name: 'icons',
              test: /\/@tabler\/icons-react\/dist\/esm\/icons\//,
              minShareCount: 2,
            },
            {
              // One file for all pages of the style guide, whose names the first page would carry too.
              name: 'guide',
              includeDependenciesRecursively: false,
              test: /\/apps\/web\/src\/modules\/samples\/(?!pages\.ts)/,
            },
            {
              // What every form needs: one name in the list of files that the first page carries, not four.
              name: 'forms',
              includeDependenciesRecursively: false,
              test: /\/apps\/web\/src\/(api\/(use-checks|use-problems|use-form|touched)|ui\/form\/(form|use-values|reason-input))\.tsx?$|\/packages\/domain\/src\/(body-check|field-limits|problem-sentences)\.ts$/,
            },
          ],
        },
      },
    },
  },
})
