import { Button, Group, Progress, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { percent } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'
import classes from './file-drop.module.css'
import { shrinkImage } from './shrink-image.ts'

type Props = {
  label: ReactNode
  /** MIME types, such as `image/jpeg` and `application/pdf`, and ends of names for files that have none, such as `.sta`. */
  accept: readonly string[]
  maxBytes: number
  /** Sends the file; throws an error with a sentence if refused. */
  onSend: (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<unknown>
  /** Offers a phone's camera: `user` for a portrait, `environment` for documents. */
  camera?: 'user' | 'environment'
  /** Shrinks photos before sending (default). */
  shrink?: boolean
  /** The file stored already. */
  current?: { name: string; previewUrl?: string | null } | null
  disabled?: boolean
  hint?: ReactNode
}

type State =
  | { step: 'idle' }
  | { step: 'preparing'; file: File }
  | { step: 'sending'; file: File; share: number }
  | { step: 'failed'; file: File; reason: string; retry: boolean }
  | { step: 'sent'; file: File }

/** Limits appear in the unit they were set in: 5,000,000 and 5 × 1024 × 1024 are both "5 MB". */
const megabytes = (bytes: number) => {
  const size = bytes / (bytes % 1_000_000 === 0 ? 1_000_000 : 1024 * 1024)
  return (Math.round(size * 10) / 10).toString().replace('.', ',')
}
const kindOf = (type: string) =>
  ({
    'image/jpeg': 'JPG',
    'image/png': 'PNG',
    'image/webp': 'WebP',
    'image/heic': 'HEIC',
    'application/pdf': 'PDF',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
    'text/csv': 'CSV',
    'text/plain': 'TXT',
    // Windows uses this type for CSV once a spreadsheet program is installed.
    'application/vnd.ms-excel': 'CSV',
  })[type] ??
  type.split(/[/.]/).at(-1)?.toUpperCase() ??
  type

/** Some systems leave the type of CSV files empty. */
const typeOf = (file: File) => file.type || (/\.csv$/i.test(file.name) ? 'text/csv' : '')

const isAccepted = (accept: readonly string[], file: File) =>
  accept.some((type) => (type.startsWith('.') ? file.name.toLowerCase().endsWith(type) : type === typeOf(file)))

const reasonOf = (error: unknown, fallback: string) => {
  const apiError = error as { message?: string; errors?: Record<string, string[]> }
  return Object.values(apiError?.errors ?? {})[0]?.[0] ?? (apiError?.message || fallback)
}

/** Input for a file: dropped, chosen or photographed; shrinks it, sends it with progress and shows the result. */
export function FileDrop({ label, accept, maxBytes, onSend, camera, shrink = true, current, disabled, hint }: Props) {
  const { say } = useSurroundings()
  const id = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const cameraInput = useRef<HTMLInputElement>(null)
  const sending = useRef<AbortController | null>(null)
  const [state, setState] = useState<State>({ step: 'idle' })
  const [isDragOver, setIsDragOver] = useState(false)
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => () => sending.current?.abort(), [])
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])

  const types = [...new Set(accept.map(kindOf))].join(', ')
  const busy = state.step === 'preparing' || state.step === 'sending'

  const refuse = (file: File, reason: string) => setState({ step: 'failed', file, reason, retry: false })

  const send = async (original: File) => {
    if (disabled || busy) return
    if (original.size === 0) return refuse(original, say('file.empty', { name: original.name }))
    setState({ step: 'preparing', file: original })
    const file = shrink ? await shrinkImage(original) : original
    if (!isAccepted(accept, file)) return refuse(original, say('file.wrongType', { name: original.name, types }))
    if (file.size > maxBytes)
      return refuse(
        original,
        say('file.tooLarge', { name: original.name, size: megabytes(file.size), maximum: megabytes(maxBytes) }),
      )
    if (file.type.startsWith('image/')) setPreview(URL.createObjectURL(file))
    else setPreview(null)
    const controller = new AbortController()
    sending.current = controller
    setState({ step: 'sending', file, share: 0 })
    try {
      await onSend(file, (share) => setState({ step: 'sending', file, share }), controller.signal)
      if (!controller.signal.aborted) setState({ step: 'sent', file })
    } catch (error) {
      if (controller.signal.aborted) return setState({ step: 'idle' })
      const reason = reasonOf(error, say('errors.unknown'))
      setState({ step: 'failed', file, reason: say('file.failed', { name: file.name, reason }), retry: true })
    }
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void send(file)
  }
  const previewUrl = preview ?? current?.previewUrl
  const name = state.step === 'idle' ? current?.name : state.file.name

  return (
    <div
      role="group"
      aria-labelledby={id}
      className={classes.drop}
      data-over={isDragOver || undefined}
      data-failed={state.step === 'failed' || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        if (!disabled) setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={drop}
    >
      <div className={classes.line}>
        {previewUrl && (
          <img src={previewUrl} alt={say('file.preview', { name: name ?? '' })} className={classes.preview} />
        )}
        <div className={classes.words}>
          <Text fw={600} id={id}>
            {label}
          </Text>
          {name && (
            <Text size="sm" className={classes.name}>
              {name}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {say('file.limits', { types, size: megabytes(maxBytes) })}
          </Text>
          {hint && (
            <Text size="sm" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </div>
      </div>

      <div role="status" aria-live="polite">
        {state.step === 'preparing' && <Text size="sm">{say('file.preparing')}</Text>}
        {state.step === 'sending' && (
          <>
            <Text size="sm">
              {say('file.sending', { name: state.file.name })} · {percent(state.share)}
            </Text>
            <Progress value={state.share * 100} mt={4} aria-label={say('file.sending', { name: state.file.name })} />
          </>
        )}
        {state.step === 'sent' && <Text size="sm">{say('file.sent', { name: state.file.name })}</Text>}
      </div>
      {state.step === 'failed' && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {state.reason}
        </Text>
      )}

      <Group gap="sm" className="no-print">
        {state.step === 'failed' && state.retry && (
          <Button onClick={() => void send(state.file)}>{say('file.retry')}</Button>
        )}
        {state.step === 'sending' ? (
          <Button variant="default" onClick={() => sending.current?.abort()}>
            {say('actions.cancel')}
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              disabled={disabled || busy}
              onClick={() => fileInput.current?.click()}
              aria-describedby={id}
            >
              {say(current || state.step === 'sent' ? 'file.replace' : 'file.choose')}
            </Button>
            {camera && (
              <Button
                variant="default"
                disabled={disabled || busy}
                onClick={() => cameraInput.current?.click()}
                className={classes.camera}
                aria-describedby={id}
              >
                {say('file.camera')}
              </Button>
            )}
            <Text size="sm" c="dimmed" className={classes.dragHint}>
              {say('file.drop')}
            </Text>
          </>
        )}
      </Group>
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-hidden="true"
        tabIndex={-1}
        accept={[...accept, ...(accept.includes('text/csv') ? ['.csv'] : [])].join(',')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void send(file)
        }}
      />
      {camera && (
        <input
          ref={cameraInput}
          type="file"
          hidden
          aria-hidden="true"
          tabIndex={-1}
          accept="image/*"
          capture={camera}
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void send(file)
          }}
        />
      )}
    </div>
  )
}
