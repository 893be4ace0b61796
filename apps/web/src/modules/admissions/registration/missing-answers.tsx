import { Anchor } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pathOfProfile, profileSections, sectionOfField } from '#domain/applicants/profile.ts'

type Props = { fields: readonly string[]; registrationId: string | undefined }

/** List items for profile sections with missing answers: a link to each section and each of its fields. */
export function MissingAnswers({ fields, registrationId }: Props) {
  const { t } = useTranslation('applicants')
  return profileSections
    .map((section) => ({ section, missing: fields.filter((field) => sectionOfField(field) === section) }))
    .filter(({ missing }) => missing.length > 0)
    .map(({ section, missing }) => (
      <li key={section}>
        <Anchor
          component={Link}
          to={pathOfProfile(section, missing[0], registrationId)}
          underline="always"
          c="inherit"
          fw={600}
        >
          {t(`section.${section}`)}
        </Anchor>
        {': '}
        {missing.map((field, index) => (
          <Fragment key={field}>
            {index > 0 && ', '}
            <Anchor component={Link} to={pathOfProfile(section, field, registrationId)} underline="always" c="inherit">
              {t(`field.${field}` as 'field.nik')}
            </Anchor>
          </Fragment>
        ))}
      </li>
    ))
}
