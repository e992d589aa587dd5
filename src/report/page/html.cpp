// SPDX-License-Identifier: BSD-3-Clause
// Fills the template that web/bundle.mjs makes, which is a part of the program.
#include "report/page/html.hpp"

#include <string_view>

#include "core/text_file.hpp"

#ifdef ALLTOLD_PAGE_TEMPLATE
// An array of a million characters would take the compiler a minute.
asm(".pushsection .rodata\n"
    ".global alltold_page_begin\n"
    ".global alltold_page_end\n"
    "alltold_page_begin:\n"
    ".incbin \"" ALLTOLD_PAGE_TEMPLATE "\"\n"
    "alltold_page_end:\n"
    ".popsection\n");
extern "C" {
extern const char alltold_page_begin[], alltold_page_end[];
}
#endif

namespace alltold {
namespace {

constexpr std::string_view data_place = "/*data*/";
constexpr FileKind page_kind{"a page of alltold", "<title>alltold"};

std::string_view page_template() {
#ifdef ALLTOLD_PAGE_TEMPLATE
    return {alltold_page_begin, static_cast<std::size_t>(alltold_page_end - alltold_page_begin)};
#else
    return {};
#endif
}

/// JSON inside a script element: no text in it may end the element.
std::string script_json(const nlohmann::ordered_json& data) {
    const auto text = data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text)
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    return safe;
}

} // namespace

bool has_page_template() {
    return !page_template().empty();
}

Result<std::string> page_html(const nlohmann::ordered_json& data) {
    const auto whole = page_template();
    const auto place = whole.find(data_place);
    if (place == whole.npos)
        return environment("this build of alltold has no page: it was configured without npm or "
                           "without the packages of web/; install npm and configure again");
    std::string page(whole.substr(0, place));
    page += script_json(data);
    page += whole.substr(place + data_place.size());
    return page;
}

Status may_write_page(const std::filesystem::path& path) {
    return may_replace(path, page_kind);
}

Status write_page(const nlohmann::ordered_json& data, const std::filesystem::path& path) {
    ALLTOLD_TRY(page, page_html(data));
    return replace_text_file(path, *page, page_kind);
}

} // namespace alltold
