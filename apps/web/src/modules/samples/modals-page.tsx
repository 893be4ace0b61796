import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { stageKeys } from '#domain/admissions/stages.ts'
import { Stepper } from '#web/modules/admissions/apply/stepper.tsx'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { stagesUpTo } from './invented.ts'
import { SampleFields, useSampleForm } from './sample-form.tsx'

const tabs = ['general', 'forms', 'wizards'] as const

/** Dialogs: questions, forms and steps. */
export default function ModalsPage() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const tab = tabs.find((name) => pathname.endsWith(name)) ?? 'general'
  return (
    <GuidePage>
      <div>
        <PageTabs
          label={t('modal.kinds')}
          current={pathname}
          tabs={tabs.map((name) => [`/crafted/modals/${name}`, t(`modal.${name}`)])}
        />
        {tab === 'general' ? <Questions /> : tab === 'forms' ? <Forms /> : <Steps />}
      </div>
    </GuidePage>
  )
}

function Questions() {
  const { t } = useTranslation('samples')
  const announce = () => notifications.show({ color: 'green', message: t('modal.done') })
  return (
    <Stack gap="xl">
      <Sample code="<ConfirmButton>" file="ui/confirm-button.tsx" when={t('when.confirmButton')}>
        <Group>
          <ConfirmButton message={t('modal.publishText')} onConfirm={announce} children={t('modal.publish')} />
          <ConfirmButton danger message={t('modal.removeText')} onConfirm={announce} children={t('list.remove')} />
          <ConfirmButton
            variant="default"
            message={t('modal.discardText')}
            keepLabel={t('modal.keep')}
            onConfirm={announce}
            children={t('modal.discard')}
          />
          <ConfirmButton
            variant="default"
            message={t('modal.failText')}
            onConfirm={() => Promise.reject(new Error(t('start.refusal')))}
            children={t('modal.fail')}
          />
        </Group>
      </Sample>
      <Sample code="notifications.show()" file="@mantine/notifications" when={t('when.notification')}>
        <Button variant="default" onClick={announce} children={t('modal.announce')} />
      </Sample>
    </Stack>
  )
}

function Forms() {
  const { t } = useTranslation('samples')
  const [isOpen, setOpen] = useState(false)
  return (
    <Sample code="<DialogForm>" file="ui/form/form.tsx" when={t('when.dialogForm')}>
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog" children={t('list.add')} />
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </Sample>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('samples')
  const form = useSampleForm('subscriptions', onClose)
  return (
    <DialogForm form={form} title={t('list.add')} submit={t('form.submit')} onClose={onClose}>
      <SampleFields form={form} />
    </DialogForm>
  )
}

function Steps() {
  const { t } = useTranslation('samples')
  const [index, setIndex] = useState<number>()
  const close = () => setIndex(undefined)
  const isLast = index === stageKeys.length - 1
  return (
    <Sample code="<Stepper>" file="modules/admissions/apply/stepper.tsx" when={t('when.dialogStepper')}>
      <Button onClick={() => setIndex(0)} aria-haspopup="dialog" children={t('modal.steps')} />
      {index !== undefined && (
        <Modal
          opened
          onClose={close}
          size="xl"
          title={t('modal.steps')}
          closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        >
          <Stack>
            <Stepper stages={stagesUpTo(index)} />
            <Text>{t('modal.stepText')}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => (index === 0 ? close() : setIndex(index - 1))}>
                {t(index === 0 ? 'common:actions.cancel' : 'wizard.back')}
              </Button>
              <Button onClick={() => (isLast ? close() : setIndex(index + 1))}>
                {t(isLast ? 'modal.finish' : 'wizard.next')}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </Sample>
  )
}
