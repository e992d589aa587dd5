// SPDX-License-Identifier: BSD-3-Clause
#include "core/text_file.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alltold {
namespace {

namespace fs = std::filesystem;

/// The owner and mode of the file that is replaced, or a user's default permissions for a new one.
/// errno has the error. Only root can give a file to another user; for others that is no error.
bool give_rights(int descriptor, const fs::path& replaced) {
    struct stat old = {};
    if (::stat(replaced.c_str(), &old) == 0) {
        const bool given = ::fchown(descriptor, old.st_uid, old.st_gid) == 0;
        return ::fchmod(descriptor, old.st_mode & (given ? 07777 : 0777)) == 0;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(descriptor, 0666 & ~mask) == 0;
}

/// Writes and flushes the file; errno has the error.
bool fill(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor) == 0;
}

/// What mkostemp takes, for a file beside the one that it replaces.
constexpr std::string_view temporary_ending = ".XXXXXX";

Error cannot_write(const fs::path& path, int code) {
    return environment(fmt::format("{}: cannot write it: {}", path.string(), std::strerror(code)));
}

/// As Linux's protected_symlinks: in a folder in which all may write and delete only what is their
/// own, such as /tmp, a link of another user's may lead anywhere.
bool is_trap(const fs::path& link) {
    struct stat itself = {}, folder = {};
    const auto parent = link.has_parent_path() ? link.parent_path() : fs::path(".");
    return ::lstat(link.c_str(), &itself) == 0 && ::stat(parent.c_str(), &folder) == 0 &&
           (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
           itself.st_uid != ::geteuid() && itself.st_uid != folder.st_uid;
}

/// Where a chain of symbolic links ends, whether or not a file is there; fails for a circle, and
/// for another user's link where that is not safe.
Result<fs::path> behind_links(fs::path path) {
    constexpr int most_links = 40; // as many as Linux follows
    std::error_code code;
    for (int i = 0; i < most_links; ++i) {
        if (!fs::is_symlink(path, code))
            return path;
        if (is_trap(path))
            return cannot_write(path, EACCES);
        const auto next = fs::read_symlink(path, code);
        if (code)
            return cannot_write(path, code.value());
        path = path.parent_path() / next; // an absolute one stays itself
    }
    return cannot_write(path, ELOOP);
}

/// Root may write everything, but a file without the permission is meant to stay.
bool is_read_only(const fs::path& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return false;
    return (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 ||
           ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0;
}

/// At most a kilobyte; empty if there is none.
std::string first_bytes(const fs::path& path) {
    std::string bytes(1024, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

/// may_replace for a path that is no symbolic link.
Status may_replace_file(const fs::path& path, const FileKind& kind) {
    if (path.empty())
        return bad_input("the name of the file to write is empty");
    if (path == "-")
        return bad_input("-: name a file to write; one of this name is ./-");
    if (path.filename().string().size() + temporary_ending.size() > NAME_MAX ||
        path.string().size() + temporary_ending.size() >= PATH_MAX)
        return bad_input(
            fmt::format("{}: the name of the file to write is too long", path.string()));
    const auto directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::error_code code;
    if (!fs::is_directory(directory, code))
        return bad_input(
            fmt::format("{}: directory {} does not exist", path.string(), directory.string()));
    if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        return cannot_write(path, errno);
    if (fs::exists(path, code) && !fs::is_regular_file(path, code))
        return bad_input(
            fmt::format("{}: not a regular file; name a file to write", path.string()));
    ALLTOLD_TRY_DONE(check_writable(path));
    const auto first = first_bytes(path);
    // One that cannot be read may be of any kind.
    const bool empty = first.empty() && (!fs::exists(path, code) || fs::file_size(path, code) == 0);
    if (!empty && first.find(kind.mark) == first.npos)
        return bad_input(fmt::format("{}: exists and is not {}; remove it or name another file",
                                     path.string(), kind.name));
    return Done{};
}

} // namespace

Result<std::string> read_text_file(const fs::path& path, std::string_view wanted,
                                   std::uintmax_t most_bytes) {
    std::error_code code;
    const auto status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found)
        return bad_input(fmt::format("{}: no such file; expected {}", path.string(), wanted));
    if (fs::is_directory(status))
        return bad_input(fmt::format("{}: is a directory; expected {}", path.string(), wanted));
    if (code == std::errc::filename_too_long)
        return bad_input(
            fmt::format("{}: the name is too long; expected {}", path.string(), wanted));
    if (status.type() == fs::file_type::none)
        return environment(fmt::format("{}: cannot read it: {}", path.string(), code.message()));
    if (!fs::is_regular_file(status)) // a pipe might keep us waiting, a device never end
        return bad_input(
            fmt::format("{}: is not a regular file; expected {}", path.string(), wanted));
    const auto too_large = [&] {
        return bad_input(fmt::format("{}: is larger than {} MiB; expected {}", path.string(),
                                     most_bytes >> 20, wanted));
    };
    if (const auto bytes = fs::file_size(path, code); !code && bytes > most_bytes)
        return too_large();
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 1 << 16> part; // iterators would throw where a disk cannot be read
    while (file.read(part.data(), part.size()) || file.gcount() > 0)
        if (text.append(part.data(), static_cast<std::size_t>(file.gcount())).size() > most_bytes)
            return too_large(); // it grows while it is read
    if (!file.is_open() || file.bad())
        return environment(
            fmt::format("{}: cannot read it: {}", path.string(), std::strerror(errno)));
    if (text.find('\0') != text.npos)
        return bad_input(fmt::format("{}: is not a text; expected {}", path.string(), wanted));
    return text;
}

Status check_writable(const fs::path& path) {
    if (is_read_only(path))
        return environment(fmt::format(
            "{}: is read-only; make it writable (chmod u+w) or name another file", path.string()));
    return Done{};
}

Status may_replace(const fs::path& path, const FileKind& kind) {
    const auto file = behind_links(path);
    return file ? may_replace_file(*file, kind) : file.error();
}

Status replace_text_file(const fs::path& path, std::string_view text, const FileKind& kind) {
    ALLTOLD_TRY(file, behind_links(path));
    ALLTOLD_TRY_DONE(may_replace_file(*file, kind));
    std::string temporary = file->string() + std::string(temporary_ending);
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannot_write(*file, errno);
    const bool filled = give_rights(descriptor, *file) && fill(descriptor, text);
    ::close(descriptor);
    if (!filled || ::rename(temporary.c_str(), file->c_str()) != 0) {
        const auto error = cannot_write(*file, errno);
        ::unlink(temporary.c_str());
        return error;
    }
    return Done{};
}

} // namespace alltold
