// SPDX-License-Identifier: BSD-3-Clause
// Reading and replacing small text files.
#include "core/text_file.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alltold {
namespace {

namespace fs = std::filesystem;

/// Writes and flushes the file and gives it a user's default permissions; errno has the error.
bool fill(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(descriptor, 0666 & ~mask) == 0 && ::fsync(descriptor) == 0;
}

/// What mkostemp takes, for a file beside the one that it replaces.
constexpr std::string_view temporary_ending = ".XXXXXX";

Error cannot_write(const fs::path& path, int code) {
    return environment(fmt::format("{}: cannot write it: {}", path.string(), std::strerror(code)));
}

/// At most a kilobyte; empty if there is none.
std::string first_bytes(const fs::path& path) {
    std::string bytes(1024, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

} // namespace

Result<std::string> read_text_file(const fs::path& path, std::string_view wanted) {
    std::error_code code;
    const auto status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found)
        return bad_input(fmt::format("{}: no such file; expected {}", path.string(), wanted));
    if (fs::is_directory(status))
        return bad_input(fmt::format("{}: is a directory; expected {}", path.string(), wanted));
    if (status.type() == fs::file_type::none)
        return environment(fmt::format("{}: cannot read it: {}", path.string(), code.message()));
    if (!fs::is_regular_file(status)) // a pipe might keep us waiting, a device never end
        return bad_input(
            fmt::format("{}: is not a regular file; expected {}", path.string(), wanted));
    constexpr std::uintmax_t most_bytes = 256 << 20;
    if (const auto bytes = fs::file_size(path, code); !code && bytes > most_bytes)
        return bad_input(
            fmt::format("{}: is larger than 256 MiB; expected {}", path.string(), wanted));
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        return environment(
            fmt::format("{}: cannot read it: {}", path.string(), std::strerror(errno)));
    return text;
}

Status may_replace(const fs::path& path, const FileKind& kind) {
    if (path.empty())
        return bad_input("the name of the file to write is empty");
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
    const auto first = first_bytes(path);
    // One that cannot be read may be of any kind.
    const bool empty = first.empty() && (!fs::exists(path, code) || fs::file_size(path, code) == 0);
    if (!empty && first.find(kind.mark) == first.npos)
        return bad_input(fmt::format("{}: exists and is not {}; remove it or name another file",
                                     path.string(), kind.name));
    return Done{};
}

Status replace_text_file(const fs::path& path, std::string_view text, const FileKind& kind) {
    if (auto may = may_replace(path, kind); !may)
        return may;
    std::string temporary = path.string() + std::string(temporary_ending);
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannot_write(path, errno);
    const bool filled = fill(descriptor, text);
    ::close(descriptor);
    if (!filled || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const auto error = cannot_write(path, errno);
        ::unlink(temporary.c_str());
        return error;
    }
    return Done{};
}

} // namespace alltold
