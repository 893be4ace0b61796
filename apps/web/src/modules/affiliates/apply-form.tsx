import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AffiliateKind, affiliateKinds } from '#domain/affiliates/affiliates.ts'
import { applyAsAffiliate } from '#domain/affiliates/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'

/** Applies to become an affiliate. */
export function ApplyForm() {
  const { t } = useTranslation('affiliates')
  const [kind, setKind] = useState<AffiliateKind>('alumni')
  const [phone, setPhone] = useState('')
  const [reason, setReason] = useState('')
  const [biography, setBiography] = useState('')
  const form = useForm({ call: applyAsAffiliate, body: { kind, phone, reason, biography }, done: t('own.sent') })
  return (
    <Card title={t('own.apply')}>
      <Stack>
        <Text>{t('own.applyText')}</Text>
        <PageForm form={form} submit={t('own.send')}>
          <Select
            label={t('own.kind')}
            data={affiliateKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            allowDeselect={false}
            value={kind}
            onChange={(next) => next && setKind(next as AffiliateKind)}
            {...form.field('kind')}
          />
          <TextInput
            type="tel"
            label={t('own.phone')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            {...form.field('phone')}
          />
          <Textarea
            label={t('own.reason')}
            autosize
            minRows={3}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            {...form.field('reason')}
          />
          <Textarea
            label={t('own.biography')}
            description={t('own.biographyHelp')}
            autosize
            minRows={3}
            value={biography}
            onChange={(event) => setBiography(event.currentTarget.value)}
            {...form.field('biography')}
          />
        </PageForm>
      </Stack>
    </Card>
  )
}
