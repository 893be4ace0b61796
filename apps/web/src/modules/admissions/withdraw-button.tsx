import { Alert, Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
  const run = () =>
    withdraw.mutate(reason, {
      onSuccess: () => {
        setOpen(false)
        notifications.show({ message: t('detail.withdrawn') })
      },
    })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpen(true)} aria-haspopup="dialog">
        {t('detail.withdraw')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t('detail.withdrawTitle')}
        centered
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <Stack>
          <Text>{t('detail.withdrawText')}</Text>
          <Radio.Group label={t('detail.withdrawReason')} value={picked} onChange={pick}>
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
            />
          )}
          {withdraw.isError && (
            <Alert color="red" role="alert">
              {withdraw.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)} data-autofocus>
              {t('common:actions.cancel')}
            </Button>
            <Button color="red.9" onClick={run} loading={withdraw.isPending} disabled={reason.length < 3}>
              {t('detail.withdraw')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
