const server = '^apps/server/src'
const modules = `${server}/modules`

/** The import rules of docs/architecture.md, checked. Imports of types alone are free: they vanish when the program runs. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'packages-import-no-app', severity: 'error', from: { path: '^packages' }, to: { path: '^apps' } },
    {
      name: 'entities-know-only-themselves',
      severity: 'error',
      from: { path: '^packages/entities', pathNot: '(\\.test\\.ts|endpoints\\.ts)$' },
      to: { path: '^packages/(?!entities)' },
    },
    { name: 'server-and-web-are-apart', severity: 'error', from: { path: '^apps/server' }, to: { path: '^apps/web' } },
    { name: 'web-and-server-are-apart', severity: 'error', from: { path: '^apps/web' }, to: { path: '^apps/server' } },
    {
      name: 'platform-is-the-ground',
      severity: 'error',
      from: { path: `${server}/platform`, pathNot: ['\\.test\\.ts$', 'start-services\\.ts$'] },
      to: { path: [`${server}/(resource|modules)`, `${server}/(app|main|jobs|worker)\\.ts`], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-engine-calls-no-module',
      severity: 'error',
      from: { path: `${server}/resource`, pathNot: '\\.test\\.ts$' },
      to: { path: modules },
    },
    {
      name: 'messaging-calls-no-module',
      severity: 'error',
      from: { path: `${modules}/messaging`, pathNot: '\\.test\\.ts$' },
      to: { path: `${modules}/(?!messaging)`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'payments-calls-messaging-only',
      severity: 'error',
      from: { path: `${modules}/payments`, pathNot: '\\.test\\.ts$' },
      to: { path: `${modules}/(?!payments|messaging)`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'reports-read-by-themselves',
      severity: 'error',
      from: { path: `${modules}/reports`, pathNot: '\\.test\\.ts$' },
      to: { path: `${modules}/(?!reports)` },
    },
    {
      name: 'ui-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^apps/web/src/ui' },
      to: { path: '^apps/web/src/(?!ui)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-pages-combine-modules',
      severity: 'error',
      from: { path: '^apps/web/src/modules/([^/]+)/', pathNot: '-page\\.tsx$' },
      to: { path: '^apps/web/src/modules/(?!$1/)' },
    },
    { name: 'no-tests-in-the-program', severity: 'error', from: { path: server, pathNot: '\\.test\\.ts$' }, to: { path: '^apps/server/test' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
