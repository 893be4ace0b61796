/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { surveyLimits } from '#domain/surveys/definition.ts'
import { controlOf, type FoundSchool, type InputProps, SingleField } from './field.tsx'

const searchDelayMs = 250

type Found = {
  schools: readonly FoundSchool[]
  isOpen: boolean
  /** Index of the school marked by the arrow keys. -1 for none. */
  active: number
  /** Key of the sentence below the field. Empty for none. */
  note: string
}
const nothingFound = (note: string): Found => ({ schools: [], isOpen: false, active: -1, note })

/** A school, chosen from search results or typed as a name, for example when offline. */
export function SchoolInput(props: InputProps) {
  const { id, say, services, change, schoolNames } = props
  const answer = props.answer as { id?: string; name?: string } | undefined
  const [text, setText] = useState(answer?.name ?? (answer?.id && schoolNames[answer.id]) ?? '')
  const [query, setQuery] = useState('')
  const [found, setFound] = useState(nothingFound('school.hint'))
  const { schools, isOpen, active, note } = found
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  useEffect(() => {
    if (query === '') return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answers = await services.findSchools(query).catch(() => null)
      if (!isCurrent) return
      if (!answers) return setFound(nothingFound(navigator.onLine ? 'school.asTyped' : 'school.offline'))
      const isFocused = document.activeElement === input.current
      const hasAnswers = answers.length > 0
      const noteKey = hasAnswers ? 'school.found' : 'school.none'
      setFound({ schools: answers, isOpen: hasAnswers && isFocused, active: -1, note: noteKey })
    }, searchDelayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query, services])

  useLayoutEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function type(typed: string) {
    const name = typed.trim()
    setText(typed)
    change(name === '' ? undefined : { name })
    setQuery(name.length < 2 ? '' : name)
    if (name.length < 2) setFound(nothingFound('school.hint'))
  }

  function choose(school: FoundSchool) {
    const name = `${school.name}, ${school.city}`
    setText(name)
    setQuery('')
    setFound(nothingFound(''))
    change({ id: school.id }, name)
  }

  function press(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.key === 'ArrowDown') setFound({ ...found, active: (active + 1) % schools.length })
    else if (event.key === 'ArrowUp') setFound({ ...found, active: (active <= 0 ? schools.length : active) - 1 })
    else if (event.key === 'Enter' && active >= 0) choose(schools[active]!)
    else if (event.key === 'Escape') return setFound(nothingFound('school.asTyped'))
    else return
    event.preventDefault()
  }

  // Keeps the focus in the field while an option is pressed. Losing the focus would close the list before the click.
  const keepFocus = (event: Event) => event.preventDefault()

  return (
    <SingleField {...props}>
      <input
        {...controlOf(props)}
        ref={input}
        type="text"
        role="combobox"
        class="sv-input"
        maxLength={surveyLimits.name}
        autocomplete="off"
        autocapitalize="words"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-option-${active}` : undefined}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
        onBlur={() => setFound((before) => ({ ...before, isOpen: false, active: -1 }))}
      />
      <ul
        ref={list}
        role="listbox"
        id={`${id}-list`}
        class="sv-options"
        hidden={!isOpen}
        aria-label={say('school.matches')}
      >
        {schools.map((school, index) => (
          <li
            key={school.id}
            role="option"
            id={`${id}-option-${index}`}
            aria-selected={index === active}
            onPointerDown={keepFocus}
            onMouseDown={keepFocus}
            onClick={() => choose(school)}
          >
            <span>{school.name}</span>
            <span class="sv-help">{school.city}</span>
          </li>
        ))}
      </ul>
      <p class="sv-help" role="status" hidden={note === ''}>
        {say(note, { count: schools.length })}
      </p>
    </SingleField>
  )
}
