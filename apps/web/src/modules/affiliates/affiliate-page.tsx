import { Anchor, Avatar, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { readPublicAffiliate } from '#domain/affiliates/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import classes from './affiliates.module.css'
import { QrPicture } from './qr-picture.tsx'
import { ShareButton } from './share-button.tsx'

/** Public page of an affiliate: introduction, topics to ask about, and a link to apply with the code. */
export default function AffiliatePage() {
  const { id = '' } = useParams()
  const { search } = useLocation()
  const { t } = useTranslation('affiliates')
  useState(() => rememberArrival(search))
  const { data, error, refetch } = useEndpoint(readPublicAffiliate, { params: { id } })
  const person = data?.data
  usePageTitle(person?.name)
  if (!person) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const { name, kind, photo, biography, programmes, helped, code, link, qr } = person
  return (
    <Stack maw={640} mx="auto">
      <Card>
        <Stack>
          <Group wrap="nowrap" align="flex-start">
            <Avatar src={photo} name={name} color="initials" size={88} alt="" />
            <div className={classes.words}>
              <Title order={1}>{name}</Title>
              <Text c="dimmed">
                {t(`kind.${kind}`)}
                {helped ? ` · ${t('public.helped', { count: helped })}` : ''}
              </Text>
            </div>
          </Group>
          {biography && <Text style={{ whiteSpace: 'pre-line' }}>{biography}</Text>}
          {programmes.length > 0 && (
            <div>
              <Text fw={600}>{t('public.programmes')}</Text>
              <Text>{programmes.join(', ')}</Text>
            </div>
          )}
          <Button
            component={Link}
            to={`/sign-up?ref=${encodeURIComponent(code)}`}
            size="md"
            mih={44}
            h="auto"
            py={8}
            styles={{ label: { whiteSpace: 'normal' } }}
          >
            {t('public.apply', { name })}
          </Button>
          <Text size="sm" c="dimmed">
            {t('public.applyText', { code })}
          </Text>
        </Stack>
      </Card>
      <Card title={t('public.share')}>
        <Stack align="flex-start">
          <ShareButton link={link} title={name} label={t('public.share')} copied={t('public.shared')} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {link}
          </Text>
          <QrPicture qr={qr} label={t('public.qr')} />
        </Stack>
      </Card>
      <Anchor component={Link} to="/afiliator">
        {t('public.all')}
      </Anchor>
    </Stack>
  )
}
