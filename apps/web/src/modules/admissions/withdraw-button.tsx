import { Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withdrawRegistration } from '#domain/admissions/endpoints.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { Failure } from '#web/ui/failure.tsx'
import { useWithdraw } from './use-registration.ts'

const other = 'other'

/** Withdrawing ends a lot: what ends is said first, and a reason is asked. */
export function WithdrawButton({ registration }: { registration: { id: string; code: string } }) {
  const { t } = useTranslation(['registration', 'common'])
  const withdraw = useWithdraw(registration.id)
  const [open, setOpen] = useState(false)
  const [picked, pick] = useState<string | null>(null)
  const [own, setOwn] = useState('')
  const reasons = t('detail.withdrawReasons', { returnObjects: true }) as unknown as string[]
  const reason = picked === other ? own.trim() : (picked ?? '')
  const checks = useChecks(withdrawRegistration, { reason: picked ? reason : undefined }, { refusal: withdraw.error })
  const begin = () => {
    withdraw.reset()
    setOpen(true)
  }
  const run = () =>
    checks.isReady() &&
    withdraw.mutate(reason, {
      onSuccess: () => {
        setOpen(false)
        notifications.show({ message: t('detail.withdrawn') })
      },
    })
  return (
    <>
      <Button variant="subtle" color="red" onClick={begin} aria-haspopup="dialog">
        {t('detail.withdraw')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t('detail.withdrawTitle')}
        centered
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <Stack {...checks.form}>
          <Text>{t('detail.withdrawText')}</Text>
          <Radio.Group
            label={t('detail.withdrawReason')}
            value={picked}
            onChange={pick}
            {...(picked !== other && checks.field('reason'))}
          >
            <Stack gap={4} mt="xs">
              {[...reasons, other].map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={value === other ? t('detail.withdrawOther') : value}
                  styles={{ body: { minHeight: 44, alignItems: 'center' } }}
                />
              ))}
            </Stack>
          </Radio.Group>
          {picked === other && (
            <Textarea
              label={t('detail.withdrawOwn')}
              value={own}
              onChange={(event) => setOwn(event.currentTarget.value)}
              maxLength={500}
              {...checks.field('reason')}
            />
          )}
          <Failure>{checks.unsaid}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)} data-autofocus>
              {t('common:actions.cancel')}
            </Button>
            <Button color="red.9" onClick={run} loading={withdraw.isPending}>
              {t('detail.withdraw')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
