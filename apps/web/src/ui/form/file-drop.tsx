import { Button, Group, Progress, Text } from '@mantine/core'
import { type ChangeEvent, type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { wholePercent } from '#locales/format.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './file-drop.module.css'
import { heicTypes } from './heic.ts'
import { type Accepted, kindsOf, megabytes, type State, useFileSending } from './use-file-sending.ts'

type Props = Accepted & {
  label: ReactNode
  /** Opens a phone's camera: `user` for a portrait, `environment` for documents. */
  camera?: 'user' | 'environment'
  /** The currently stored file. */
  current?: { name: string; previewUrl?: string | null } | null
  hint?: ReactNode
}

/** Input for a file: dropped, chosen or photographed. Shrinks it, sends it with progress and shows the result. */
export function FileDrop({ label, camera, current, hint, ...accepted }: Props) {
  const { accept, maxBytes, disabled } = accepted
  const { say } = useSurroundings()
  const id = useId()
  const [isDragOver, setIsDragOver] = useState(false)
  const sending = useFileSending(accepted)
  const { state, send } = sending

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void send(file)
  }
  const previewUrl = sending.preview ?? current?.previewUrl
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
            {say('file.limits', { types: kindsOf(accept), size: megabytes(maxBytes) })}
          </Text>
          {hint && (
            <Text size="sm" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </div>
      </div>

      <Progressing state={state} />
      <Buttons
        {...sending}
        id={id}
        accept={[...accept, ...(accepted.shrink !== false && accept.includes('image/jpeg') ? heicTypes() : [])]}
        camera={camera}
        disabled={disabled}
        hasFile={Boolean(current)}
      />
    </div>
  )
}

function Progressing({ state }: { state: State }) {
  const { say } = useSurroundings()
  return (
    <>
      <div role="status" aria-live="polite">
        {state.step === 'preparing' && <Text size="sm">{say('file.preparing')}</Text>}
        {state.step === 'sending' && (
          <>
            <Text size="sm">
              {say('file.sending', { name: state.file.name })} · {wholePercent(state.share)}
            </Text>
            {state.waiting && <Text size="sm">{say(state.waiting === 'network' ? 'file.waiting' : 'file.busy')}</Text>}
            <Progress value={state.share * 100} mt={4} aria-label={say('file.sending', { name: state.file.name })} />
          </>
        )}
        {state.step === 'sent' && <Text size="sm">{say('file.sent', { name: state.file.name })}</Text>}
      </div>
      {state.step === 'failed' && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" ref={bringIntoView}>
          {state.reason}
        </Text>
      )}
    </>
  )
}

type ButtonsProps = ReturnType<typeof useFileSending> & {
  /** Id of the label. */
  id: string
  accept: readonly string[]
  camera: 'user' | 'environment' | undefined
  disabled: boolean | undefined
  hasFile: boolean
}

function Buttons({ state, busy, send, stop, id, accept, camera, disabled, hasFile }: ButtonsProps) {
  const { say } = useSurroundings()
  const fileInput = useRef<HTMLInputElement>(null)
  const cameraInput = useRef<HTMLInputElement>(null)
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (file) void send(file)
  }
  return (
    <>
      <Group gap="sm" className="no-print">
        {state.step === 'failed' && state.retry && (
          <Button onClick={() => void send(state.file)}>{say('file.retry')}</Button>
        )}
        {state.step === 'sending' ? (
          <Button variant="default" onClick={stop}>
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
              {say(hasFile || state.step === 'sent' ? 'file.replace' : 'file.choose')}
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
        onChange={take}
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
          onChange={take}
        />
      )}
    </>
  )
}
