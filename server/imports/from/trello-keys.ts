// Known keys of a Trello board: first those that are imported, then those left out on purpose. Left out are ids, positions and limits;
// counts of things in the file itself; looks (colors of frames, previews, avatars); settings and permissions of the board, watchers, and
// addresses that take mail. All other keys are kept as words.

import { type Known, known } from './leftovers.ts';

const machinery = 'id nodeId idBoard idOrganization limits pos creationMethod';
const person = known(`${machinery} fullName username initials avatarHash avatarUrl email memberType status url
  activityBlocked nonPublic nonPublicAvailable confirmed bio bioData products aaId idEnterprise idEnterprisesDeactivated idMemberReferrer idPremOrgsAdmin`);
const label = known(`${machinery} name color uses`);

export const keys = {
  board: known(
    `${machinery} name desc lists cards labels members checklists customFields actions
     descData closed dateClosed idEnterprise enterpriseOwned pinned starred url shortUrl shortLink prefs subscribed labelNames powerUps dateLastActivity
     dateLastView idTags datePluginDisable ixUpdate templateGallery idBoardSource premiumFeatures idMemberCreator type memberships`,
    { pluginData: known('id idPlugin scope idModel access dateLastUpdated') },
  ),
  list: known(`${machinery} name closed subscribed type datasource`),
  label,
  member: person,
  field: known(`${machinery} name type idModel modelType fieldGroup display isSuggestedField`, {
    options: known('id idCustomField color pos', { value: known('text') }),
  }),
  checklist: known(`${machinery} idCard name checkItems`),
  item: known(`${machinery} idChecklist name nameData state due idMember`),
  comment: known(`${machinery} idMemberCreator type date appCreator display`, {
    data: known('text textData', {
      board: known('id name shortLink'),
      card: known('id name idShort shortLink'),
      list: known('id name'),
    }),
    memberCreator: person,
    member: person,
  }),
  /** A comment or a checklist without its card. */
  lost: known('id idBoard idMemberCreator limits type'),
  card: known(
    `${machinery} name desc idList closed idLabels idMembers due dueComplete start shortLink shortUrl address locationName dueReminder idMembersVoted
     idAttachmentCover idMemberCreator
     descData checkItemStates idChecklists idShort dateLastActivity email url subscribed manualCoverAttachment staticMapUrl mirrorSourceId
     creationMethodError creationMethodLoadingStartedAt faviconUrl`,
    {
      labels: label,
      badges:
        known(`votes comments attachments attachmentsByType fogbugz checkItems checkItemsChecked checkItemsEarliestDue description due dueComplete
        lastUpdatedByAi location start subscribed viewingMemberVoted maliciousAttachments externalSource`),
      cover: known('idAttachment idUploadedBackground idPlugin size brightness scaled edgeColor sharedSourceUrl'),
      pluginData: known('id idPlugin scope idModel access dateLastUpdated'),
      stickers: known('id imageScaled imageUrl left top zIndex rotate'),
      customFieldItems: known('id idCustomField idModel modelType value idValue'),
      attachments: known(
        'id name fileName url date mimeType bytes edgeColor idMember isMalicious isUpload pos previews previewUrl previewUrl2x',
      ),
    },
  ),
} satisfies Readonly<Record<string, Known>>;
