#!/bin/bash
# Steps that several scripts share. YunoHost sets app, install_dir, data_dir, domain and port before each of them.

# Fetches the version that the manifest names, without install scripts.
install_kanbase() {
    local version
    version=$(ynh_app_upstream_version)
    pushd "$install_dir"
        ynh_hide_warnings npm install --ignore-scripts --no-audit --no-fund "kanbase@$version"
    popd
    chown -R root:"$app" "$install_dir"
    chmod -R u=rwX,g=rX,o= "$install_dir"
}

configure_kanbase() {
    ynh_config_add --template="kanbase.env" --destination="$install_dir/kanbase.env"
    chown root:"$app" "$install_dir/kanbase.env"
    chmod 640 "$install_dir/kanbase.env"
    chown -R "$app:$app" "$data_dir"
    chmod 700 "$data_dir"
    ynh_config_add_nginx
    ynh_config_add_systemd
    yunohost service add "$app" --description="Project and task management"
}

start_kanbase() {
    ynh_systemctl --service="$app" --action="start" --wait_until="Kanbase is ready" --log_path="systemd"
}
