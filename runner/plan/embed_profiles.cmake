# Writes OUTPUT, a C++ source that holds the text of each file in INPUTS. Run with cmake -P.
set(_entries "")
foreach(file IN LISTS INPUTS)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND _entries "    {\"${name}\", R\"profile(${text})profile\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from profiles/*.json; not to be edited.
#include \"runner/plan/profile_data.h\"

namespace calaboose::plan {
namespace {
constexpr ProfileText kProfiles[] = {
${_entries}};
}  // namespace

std::span<const ProfileText> embedded_profiles() { return kProfiles; }

}  // namespace calaboose::plan
")
