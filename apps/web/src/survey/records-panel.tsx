/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import type { FinishedAnswers, FinishedItem, Refusal } from './finished-answers.ts'
import { wordsIn } from './form/words.ts'
import type { Say } from './say.ts'
import type { Counts } from './sending.tsx'

/** Maximum number of responses listed, because a device may hold thousands. */
const drawnRecords = 50

type Props = {
  finished: FinishedAnswers
  counts: Counts
  definition: SurveyDefinition | undefined
  language: Language
  say: Say
  timeZone: string
  slug: string
  recountEverywhere: () => void
}

/**
 * Lists finished responses still on this device, at most `drawnRecords`. Refused ones come first and can be sent again.
 */
export function RecordsPanel({ finished, counts, recountEverywhere, ...props }: Props) {
  const { say } = props
  const { waiting, refused } = counts
  const [isOpen, setOpen] = useState(false)
  const [items, setItems] = useState<readonly FinishedItem[]>([])
  const [removing, setRemoving] = useState<FinishedItem | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: other counts mean other records.
  useEffect(() => {
    if (!isOpen) return
    let isCurrent = true
    void Promise.all([finished.refused(), finished.waiting()]).then((lists) => isCurrent && setItems(lists.flat()))
    return () => {
      isCurrent = false
    }
  }, [isOpen, finished, waiting, refused])

  return (
    <>
      <details
        class="sv-card"
        hidden={waiting + refused === 0}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{say('records.title')}</summary>
        <p class="sv-help">{say('records.hint')}</p>
        <ul class="page-records">
          {items.slice(0, drawnRecords).map((item) => (
            <Record
              {...props}
              key={item.id}
              item={item}
              tryAgain={() => finished.tryAgain(item).then(recountEverywhere)}
              remove={() => setRemoving(item)}
            />
          ))}
        </ul>
        {items.length > drawnRecords && <p class="sv-help">+ {items.length - drawnRecords}</p>}
      </details>
      {removing && (
        <RemovalDialog
          say={say}
          onClose={() => setRemoving(null)}
          remove={() => void finished.remove(removing.id).then(recountEverywhere)}
        />
      )}
    </>
  )
}

type RecordProps = Pick<Props, 'definition' | 'language' | 'say' | 'timeZone' | 'slug'> & {
  item: FinishedItem
  tryAgain: () => void
  remove: () => void
}

function Record({ item, definition, language, say, timeZone, slug, tryAgain, remove }: RecordProps) {
  const { finishedAt, photos, refusal, stored } = item.data
  const tag = language === 'en' ? 'en-GB' : 'id-ID'
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
  return (
    <li>
      <p>{title.join(', ')}</p>
      {reasons.map((reason) => (
        <p key={reason} class={refusal ? 'sv-problem' : 'sv-help'}>
          {reason}
        </p>
      ))}
      <div class="sv-buttons">
        <button type="button" class="sv-button sv-outline" onClick={() => void exportRecord(item, slug)}>
          {say('records.export')}
        </button>
        {refusal && (
          <button type="button" class="sv-button sv-outline" onClick={tryAgain}>
            {say('records.again')}
          </button>
        )}
        <button type="button" class="sv-button sv-danger" onClick={remove}>
          {say('records.remove')}
        </button>
      </div>
    </li>
  )
}

function reasonsOf(
  { part, code, problems }: Refusal,
  definition: SurveyDefinition | undefined,
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

async function exportRecord({ id, data }: FinishedItem, slug: string) {
  const photos = await Promise.all(data.photos.map(async ({ id, photo }) => ({ id, photo: await dataUrlOf(photo) })))
  const text = JSON.stringify({ survey: slug, id, ...data, photos }, null, 2)
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: `${slug}-${id}.json` }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Asks before a response is removed. Closing a native dialog returns the focus to the button that opened it. */
function RemovalDialog({ say, onClose, remove }: { say: Say; onClose: () => void; remove: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} class="page-dialog" aria-labelledby="remove-title" onClose={onClose}>
      <h2 id="remove-title">{say('records.removeTitle')}</h2>
      <p>{say('records.removeText')}</p>
      <div class="sv-buttons">
        <button type="button" class="sv-button sv-outline" onClick={close}>
          {say('records.cancel')}
        </button>
        <button
          type="button"
          class="sv-button sv-danger"
          onClick={() => {
            close()
            remove()
          }}
        >
          {say('records.removeYes')}
        </button>
      </div>
    </dialog>
  )
}
