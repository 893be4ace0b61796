import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { SampleFields, useSampleForm } from './sample-form.tsx'
import { samplePaths } from './sample-rows.ts'

/** The shared page form; adds a row to the sample list. */
export default function FormPage() {
  const { t } = useTranslation('samples')
  const navigate = useNavigate()
  const { list, detail } = samplePaths.subscriptions
  const form = useSampleForm('subscriptions', ({ id }) => navigate(`${detail}?id=${id}`))
  return (
    <GuidePage>
      <Sample code="<PageForm>" file="ui/form/form.tsx" when={t('when.pageForm')}>
        <Card>
          <PageForm
            form={form}
            submit={t('form.submit')}
            maw={480}
            beside={<Button component={Link} to={list} variant="default" children={t('form.cancel')} />}
          >
            <SampleFields form={form} />
          </PageForm>
        </Card>
      </Sample>
    </GuidePage>
  )
}
