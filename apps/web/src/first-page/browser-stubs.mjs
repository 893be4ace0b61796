// What modules of the app ask of a browser when they are loaded.
const nothing = () => null
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { documentElement: { lang: 'en', dataset: {} }, querySelector: nothing },
  location: { search: '' },
})
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: nothing, setItem: nothing } })
