import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type FormState, PageForm } from '#web/ui/form/form.tsx'

type Props = {
  form: FormState
  /** Nothing in it can be changed. */
  fixed?: boolean
  onBack: () => void
  /** The button that deletes, at the far end. */
  removal?: ReactNode
  children: ReactNode
}

/** A form of the settings, with the way back and the button that deletes. */
export function SettingForm({ form, fixed = false, onBack, removal, children }: Props) {
  const { t } = useTranslation('common')
  return (
    <PageForm
      form={form}
      submit={fixed ? null : t('actions.save')}
      maw={560}
      beside={
        <>
          <Button variant="subtle" onClick={onBack} children={t(fixed ? 'actions.back' : 'actions.cancel')} />
          {removal}
        </>
      }
    >
      {children}
    </PageForm>
  )
}
