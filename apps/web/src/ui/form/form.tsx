import { Button, type ButtonProps, Group, type MantineSpacing, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '#web/ui/failure.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** What a form has to know of itself before it can be shown; `useForm` has it. */
export type FormState = {
  /** Props of the element around all fields. */
  form: object
  /** What was refused or lost and belongs to no field. */
  unsaid: string | null
  busy: boolean
  /** Checks and sends. */
  submit: () => void
}

type ShellProps = {
  form: FormState
  /** Words of the button that sends; none where nothing may be changed, or where the button stands among the fields. */
  submit: string | null
  /** Props of that button. Disabled it may only be where there is nothing to send: what is missing is said when it is pressed. */
  button?: ButtonProps & { title?: string }
  gap?: MantineSpacing
  maw?: number
  /** The fields. */
  children: ReactNode
}

/** The one shell of forms: fields, what belongs to none of them, and the buttons, laid out by its frame. */
function Shell({ form, submit, button, gap = 'md', maw, children, layOut }: Laid) {
  return (
    <form
      {...form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A form in a dialog over another form is no part of that one.
        event.stopPropagation()
        if (!button?.disabled && !form.busy) form.submit()
      }}
    >
      <Stack gap={gap} maw={maw}>
        {children}
        <Failure>{form.unsaid}</Failure>
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
  /** Buttons after the one that sends. */
  beside?: ReactNode
  /** Where the button that sends does not stand in a row below the fields. */
  layOut?: Laid['layOut']
}

/** A form in a dialog; while it sends, the dialog stays. */
export function DialogForm({ title, size = 'lg', onClose, form, ...shell }: ShellProps & DialogFrame) {
  const { say } = useSurroundings()
  const close = () => !form.busy && onClose()
  return (
    <Modal opened onClose={close} size={size} title={title} closeButtonProps={{ 'aria-label': say('actions.close') }}>
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
    </Modal>
  )
}
type DialogFrame = {
  title: string
  size?: string
  onClose: () => void
}
