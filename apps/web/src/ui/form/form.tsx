import { Button, type ButtonProps, Group, type MantineSpacing, Modal, Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** State of a form, from `useForm`. */
export type FormState = {
  /** Props of the element around all fields. */
  form: object
  /** Refusal or lost answer that concerns no single field. */
  formError: string | null
  busy: boolean
  /** Checks and sends the form. */
  submit: () => void
}

type ShellProps = {
  form: FormState
  /** Label of the submit button; null if nothing may be changed, or if the button is among the fields. */
  submit: string | null
  /**
   * Props of the submit button. Disable it only if there is nothing to send; missing fields are reported when it is
   * pressed.
   */
  button?: ButtonProps & { title?: string }
  gap?: MantineSpacing
  maw?: number
  children: ReactNode
}

/** Shared by all forms: fields, the error that concerns no single field, and the buttons as the frame arranges them. */
function Shell({ form, submit, button, gap = 'md', maw, children, layOut }: Laid) {
  return (
    <form
      {...form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A form in a dialog over another form must not submit that form.
        event.stopPropagation()
        if (!button?.disabled && !form.busy) form.submit()
      }}
    >
      <Stack gap={gap} maw={maw}>
        {children}
        <Failure>{form.formError}</Failure>
        {layOut(submit && <Button type="submit" {...button} loading={form.busy} children={submit} />)}
      </Stack>
    </form>
  )
}
type Laid = ShellProps & { layOut: (send: ReactNode) => ReactNode }

/** A form in a page. */
export const PageForm = ({ beside, layOut, ...shell }: ShellProps & PageFrame) => (
  <Shell
    {...shell}
    layOut={
      layOut ??
      ((send) => (
        <Group>
          {send}
          {beside}
        </Group>
      ))
    }
  />
)
type PageFrame = {
  /** Buttons after the submit button. */
  beside?: ReactNode
  /** Places the submit button elsewhere than in a row below the fields. */
  layOut?: Laid['layOut']
}

/** A form in a dialog. The dialog stays open while sending, and asks before Esc or its X discards input. */
export function DialogForm({ title, size = 'lg', onClose, form, ...shell }: ShellProps & DialogFrame) {
  const { say } = useSurroundings()
  const hasTyped = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const close = () => !form.busy && onClose()
  return (
    <Modal
      opened
      onClose={() => (hasTyped.current && !form.busy ? setAsking(true) : close())}
      size={size}
      title={title}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <div
        onInput={() => {
          hasTyped.current = true
        }}
      >
        <Shell
          {...shell}
          form={form}
          layOut={(send) => (
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={form.busy} children={say('actions.cancel')} />
              {send}
            </Group>
          )}
        />
      </div>
      {isAsking && (
        <ConfirmDialog
          title={say('discard.title')}
          message={say('discard.text')}
          confirmLabel={say('discard.confirm')}
          keepLabel={say('discard.keep')}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </Modal>
  )
}
type DialogFrame = {
  title: string
  size?: string
  onClose: () => void
}
