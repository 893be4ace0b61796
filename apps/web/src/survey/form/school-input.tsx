import { surveyLimits } from '#domain/surveys/definition.ts'
import { h, setText } from '#web/survey/dom.ts'
import { type FoundSchool, type InputOptions, type QuestionInput, singleField } from './input.ts'

const searchDelayMs = 250

/** A school: chosen from search results, or its name as typed, for example when offline. */
export function schoolInput(options: InputOptions): QuestionInput {
  const { id, say, services, change, schoolNames } = options
  const answer = options.answer as { id?: string; name?: string } | undefined
  let found: readonly FoundSchool[] = []
  let active = -1
  let search = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const list = h('ul', {
    role: 'listbox',
    id: `${id}-list`,
    class: 'sv-options',
    hidden: true,
    'aria-label': say('school.matches'),
  })
  const state = h('p', { class: 'sv-help', role: 'status' }, say('school.hint'))
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    class: 'sv-input',
    maxlength: surveyLimits.name,
    autocomplete: 'off',
    autocapitalize: 'words',
    'aria-expanded': 'false',
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    value: answer?.name ?? (answer?.id && schoolNames[answer.id]) ?? '',
    input: () => {
      const text = input.value.trim()
      change(text === '' ? undefined : { name: text })
      clearTimeout(timer)
      if (text.length < 2) return showList([], say('school.hint'))
      timer = setTimeout(() => void look(text), searchDelayMs)
    },
    keydown: (event: KeyboardEvent) => {
      if (list.hidden) return
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        mark((active + (event.key === 'ArrowDown' ? 1 : found.length)) % found.length)
      } else if (event.key === 'Enter' && active >= 0) {
        event.preventDefault()
        choose(found[active]!)
      } else if (event.key === 'Escape') showList([], say('school.asTyped'))
    },
    blur: () => {
      list.hidden = true
      input.setAttribute('aria-expanded', 'false')
    },
  })

  async function look(text: string) {
    const number = ++search
    try {
      const schools = await services.findSchools(text)
      if (number !== search) return
      showList(schools, schools.length > 0 ? say('school.found', { count: schools.length }) : say('school.none'))
    } catch {
      if (number === search) showList([], say(navigator.onLine ? 'school.asTyped' : 'school.offline'))
    }
  }

  function showList(schools: readonly FoundSchool[], text: string) {
    found = schools
    active = -1
    input.removeAttribute('aria-activedescendant')
    list.replaceChildren(
      ...schools.map((school, index) =>
        h(
          'li',
          {
            role: 'option',
            id: `${id}-option-${index}`,
            'aria-selected': 'false',
            // Keep the focus in the field; losing it closes the list.
            pointerdown: (event: PointerEvent) => event.preventDefault(),
            mousedown: (event: MouseEvent) => event.preventDefault(),
            click: () => choose(school),
          },
          h('span', {}, school.name),
          h('span', { class: 'sv-help' }, school.city),
        ),
      ),
    )
    const isOpen = schools.length > 0 && document.activeElement === input
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    setText(state, text)
  }

  function mark(index: number) {
    for (const [number, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(number === index))
    active = index
    input.setAttribute('aria-activedescendant', `${id}-option-${index}`)
    list.children[index]?.scrollIntoView({ block: 'nearest' })
  }

  function choose(school: FoundSchool) {
    search++
    const nameWithCity = `${school.name}, ${school.city}`
    schoolNames[school.id] = nameWithCity
    input.value = nameWithCity
    showList([], '')
    change({ id: school.id })
  }

  return singleField(options, input, list, state)
}
