import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { isLanguage, type Language } from '#entities/define/language.ts'
import { h } from './dom.ts'
import type { FinishedAnswers, FinishedItem } from './finished-answers.ts'
import { wordsIn } from './form/input.ts'
import type { Say } from './say.ts'

/** Most records drawn at once; a device may hold thousands. */
const drawnRecords = 50

type Options = {
  finished: FinishedAnswers
  definition: SurveyDefinition | null
  language: Language
  say: Say
  timeZone: string
  slug: string
  changed: () => void
}

/** Answers on this device, refused ones first; each can be saved as a file or removed. */
export async function drawRecords(place: HTMLElement, options: Options) {
  const { finished, say } = options
  const [refused, waiting] = [await finished.refused(), await finished.waiting()]
  const items = [...refused, ...waiting]
  place.replaceChildren(
    h('p', { class: 'sv-help' }, say('records.hint')),
    h('ul', { class: 'page-records' }, ...items.slice(0, drawnRecords).map((item) => recordOf(item, options))),
    (items.length > drawnRecords && h('p', { class: 'sv-help' }, `+ ${items.length - drawnRecords}`)) || '',
  )
}

function recordOf(item: FinishedItem, { finished, say, language, definition, timeZone, slug, changed }: Options) {
  const { finishedAt, photos, refusal, stored } = item.data
  const tag = isLanguage(language) && language === 'en' ? 'en-GB' : 'id-ID'
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(finishedAt),
  )
  const title = [
    say('records.finished', { time }),
    ...(photos.length > 0 ? [say('records.photos', { count: photos.length })] : []),
  ]
  const reasons = refusal
    ? reasonsOf(refusal, definition, say, language)
    : [say(stored ? 'records.photosWait' : 'records.waits')]
  return h(
    'li',
    {},
    h('p', {}, title.join(', ')),
    ...reasons.map((reason) => h('p', { class: refusal ? 'sv-problem' : 'sv-help' }, reason)),
    h(
      'div',
      { class: 'sv-buttons' },
      h(
        'button',
        { type: 'button', class: 'sv-button sv-outline', click: () => exportRecord(item, slug) },
        say('records.export'),
      ),
      refusal &&
        h(
          'button',
          { type: 'button', class: 'sv-button sv-outline', click: () => finished.tryAgain(item).then(changed) },
          say('records.again'),
        ),
      h(
        'button',
        {
          type: 'button',
          class: 'sv-button sv-danger',
          click: () => confirmRemoval(say, () => finished.remove(item.id).then(changed)),
        },
        say('records.remove'),
      ),
    ),
  )
}

function reasonsOf(
  { part, code, problems }: NonNullable<FinishedItem['data']['refusal']>,
  definition: SurveyDefinition | null,
  say: Say,
  language: Language,
): string[] {
  if (part === 'photo') return [say('reasons.photo', { code })]
  if (problems.length === 0) return [say('reasons.refused', { code })]
  return problems.map(({ question, code: problemCode, params }) => {
    const named = definition?.questions.find(({ key }) => key === question)
    const sentence = say(`problems.${problemCode}`, params) || say(`closed.${problemCode}`)
    if (!question) return sentence || say('reasons.refused', { code: problemCode })
    return [
      say('reasons.changed', { question: wordsIn(named?.label, language) || question }),
      sentence || problemCode,
    ].join(' – ')
  })
}

const dataUrlOf = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** Saves an answer as a JSON file, with its photos inside. */
async function exportRecord({ id, data }: FinishedItem, slug: string) {
  const photos = await Promise.all(data.photos.map(async ({ id, photo }) => ({ id, photo: await dataUrlOf(photo) })))
  const text = JSON.stringify({ survey: slug, id, ...data, photos }, null, 2)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  h('a', { href: url, download: `${slug}-${id}.json` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function confirmRemoval(say: Say, remove: () => void) {
  const dialog = h(
    'dialog',
    { class: 'page-dialog', 'aria-labelledby': 'remove-title', close: () => dialog.remove() },
    h('h2', { id: 'remove-title' }, say('records.removeTitle')),
    h('p', {}, say('records.removeText')),
    h(
      'div',
      { class: 'sv-buttons' },
      h(
        'button',
        { type: 'button', class: 'sv-button sv-outline', click: () => dialog.close() },
        say('records.cancel'),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'sv-button sv-danger',
          click: () => {
            dialog.close()
            remove()
          },
        },
        say('records.removeYes'),
      ),
    ),
  )
  document.querySelector('.sv')!.append(dialog)
  dialog.showModal()
}
