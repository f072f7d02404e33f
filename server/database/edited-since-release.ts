// Files of 0.1.0 whose comments were edited afterwards: by the checksum of their statements, the checksum of the whole text
// that databases of 0.1.0 have noted. A file that is edited for the first time gets a line here (a test says which). One of later has become gentler: its
// line has the checksum of the statements it had.

export const editedSinceRelease: Readonly<Record<string, readonly string[]>> = {
  // 0025_mail.sql
  '165367fae9bf052672769c0acde97612db056f5bde3a9a6ae74a1b174f51690f': [
    '4bdb23f8dd9993b89d5c4de53ff39849733ced994bde24ad3f1ce9817fbca1f1',
  ],
  // 0027_limits.sql
  '7c344b0be7e48c5fd19b0d91cce312146a72ba79044b2ac8d154e98330d32633': [
    'c9766627bcc1652e8cbf087abdbd747f25093f85a7fbe5b50615866666d798d3',
  ],
  // 0030_leads.sql
  '0cc89771acadeca0695bd46180c7ae1ce1917e50dfe2de62db8a401cb61fa55b': [
    'c6fbfb627c7f01e01f706833483999a280ffd351ca0516041626e4e3e859cb6c',
  ],
  // 0100_kept_rows.sql
  e6607974526bed3f8744190dcf9843c4d41d9cb4f57510e3cb4aeb778ea4dcbd: [
    '024fd8ebd8609dd3e302f155a45cda5c86a457870403ba79f879e9bdaa93120d',
  ],
  // 0120_projects.sql
  '50faaf68fb0c8ad67a388ff7dcf00fe6b9529a72b175f0b1a9f0a26d6952728c': [
    '7fe82c303e10617611d562a0724951a8fd82095e7b0ec967e6287e3fe2a4545e',
  ],
  // 0130_workflow_columns.sql
  '078d78e5a35e031a256d8452385f93736ce9f6c8d4ebadb2c6c460fcd8df5bb2': [
    'c10e89ee844352ce0a38896c63d32076b05e61798d57f440f19d57598668ac42',
  ],
  // 0150_tasks.sql
  '423ac2bcffc6dd96c2fd9c4a24540bc56dfb6cb767df012b20a7d65bf1897646': [
    '0e8631f37370ceff5837973db470d054d9b5fe472fc691d970b8531cfb778e83',
  ],
  // 0160_task_assignees.sql
  '5b7544d736827dc87c987cf26aa60f0c019e5b1019c45e04438c18efe3e08abe': [
    '0b034babfcf58c30e038ad0df89356723e4e772b950bef471b6de9bb15f87c36',
  ],
  // 0170_task_labels.sql
  aa1aac8b86b7a5642c7d40063007e58058dd1039946953216899a73c58b3ca28: [
    'ec84a2d6c7fa1c20a9ce82094a1747e2cf912d9a9b76ffa0e154a5dc2982cc9d',
  ],
  // 0180_task_checklist_items.sql
  cff7e01765cc9c95dcd348abeb876272b195d7a790f8225b1954d2958827b4a5: [
    '1ec431b61fc0ffbcd142f1fb495d5c1eff4ab2f595c3d0f1d6d4ecaab6df5022',
  ],
  // 0190_task_attachments.sql
  edf34a26a193f32b2f65c733d5edc447bb2cc0089835c2c2542e5d8554a7e6c3: [
    '5cad15b07110660af409b2e3fe870a84b1c2d1d623ca8a725191fb513b189743',
  ],
  // 0200_task_dependencies.sql
  '9475909fac8ce7e5447b590cd6d17311f6b42d059a1dfb706a0aeca016c2479f': [
    '9a79f513bc32c1a4f57d2299e0b10efb2ad9caa813d56b946181010dd2ed8268',
  ],
  // 0210_task_comments.sql
  '759e864d2e751b265eaec4876b664ae3dfb463e80a6d6557aec0c29eaa726abd': [
    '0e22091812a2be37a6b3ebcf0b7b682b973bfb4c3c244fd3ebc8810caff22670',
  ],
  // 0300_task_activity.sql
  '98f653c87d89decfaf31c9a2ad5bbf80cab74d9a7e380dc914658dc3f807c649': [
    '337e954790775225fe57dd0f00fb97de8196120b970103f471393451d72d1a61',
  ],
  // 0310_notifications.sql
  ce587d9fc9d4cf6db053ff57ef1f45d27761368b969e3654cba4fa54bba2638b: [
    '0b139e0f6fbce62238780dd72554a4825d86827e80d28c3d97c498409732801d',
  ],
  // 0320_project_invitations.sql
  a75e8ea334163bfe9349fc6b3fff65932895befde458b8b661e1b0bcdb67a46c: [
    'a092f28d9edafc72fa90066ad4c6a424ae8fc9c2e05f9d3e2246e2278d535e7e',
  ],
  // 0330_saved_views.sql
  '2d9a72ce81721a73269f752c909ddfeae96198c7290875b156fd1f3fc8a00969': [
    'ab77f42ef24c452a18efb0c259a2b2d29700bae42113f943b53d3fc53611eed4',
  ],
  // 0979_rights_before_locks.sql: before it waited for whoever places a task
  e579586c585ccf9899b0b38da1aa47182c123c0ac0405578ec111e4859b97dbb: [
    'e13975f49eaa755c5ac8c9503baafa8f297a9bd0761867cc3423849b920d06ac',
  ],
};
