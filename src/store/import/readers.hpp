// SPDX-License-Identifier: BSD-3-Clause
// The readers behind import_formats(), and what they share: errors that name the line, names of
// collectives and algorithms, points on a source's ranks.
#pragma once

#include "network/mpi_library.hpp"
#include "store/import/import.hpp"

namespace alltold {

/// "results.txt:12: why, in 'the line'".
Error bad_line(const ImportSource& source, const TextLine& line, std::string_view why);
/// "results.txt:12: why".
std::string at_line(const ImportSource& source, const TextLine& line, std::string_view why);

/// The collective of a benchmark's name: "MPI_Alltoall", "ALLREDUCE", "broadcast", "Reduce_scatter"
/// (of equal blocks, as alltold's reduce_scatter_block). Empty for what alltold does not time.
std::optional<Collective> benchmarked_collective(std::string_view name);
/// Whether these are titles of a table of ReproMPI.
bool has_repro_titles(const std::vector<std::string_view>& words);

/// How a campaign names the algorithm that a source forced: "mpi" where the library decided,
/// "mpi.binomial" for an algorithm of the library that alltold knows, else "pico.name" with the
/// name of the source.
std::string forced_algorithm(std::string_view source, std::string_view name, Collective collective);

/// The word as a number of processes; fails, naming the line, for one that no campaign can have.
Result<int> processes_of(const ImportSource& source, const TextLine& line, std::string_view word);
/// The ranks of a call of so many: the first ones of the source's, or one on each host of one
/// cluster if the user gave none. `ranks` 0: all of the source's; fails without them.
Result<Clusters> ranks_of_call(const ImportSource& source, int ranks = 0);

/// Adds the time of a collective. Fails, naming the line, for more bytes than a campaign may hold.
Status add_collective(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                      Collective collective, const Clusters& ranks, std::uint64_t size_bytes,
                      const Sample& sample, std::string_view algorithm = "mpi");
/// Adds the time of a collective by the bytes of the whole vector, which is split among the ranks;
/// skips it where some rank may have more than another. `name`: the benchmark's for it.
Status add_split(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                 Collective collective, std::string_view name, const Clusters& ranks,
                 std::uint64_t vector_bytes, const Sample& sample);
/// Adds the time of a ping-pong or a train of `count` messages between the first two hosts. Skips
/// it where there is one host.
Status add_pair(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                std::string_view probe, const Clusters& ranks, std::uint64_t size_bytes,
                const Sample& sample, int count = 0);

/// Adds the time in which many ranks send `count` messages at once: of "pairs", ranks of the first
/// half to as many of the second; of "exchange", all, each to the next one. Skips it where there is
/// one host.
Status add_together(ImportedTimes& read, const ImportSource& source, const TextLine& line,
                    std::string_view probe, const Clusters& ranks, std::uint64_t size_bytes,
                    const Sample& sample, int count);

/// One sample per row: a mean over iterations.
Result<ImportedTimes> read_osu(const ImportSource& source);
Result<ImportedTimes> read_imb(const ImportSource& source);
Result<ImportedTimes> read_skampi(const ImportSource& source);
/// One sample per row, each a repetition; of a summary one per row.
Result<ImportedTimes> read_repro(const ImportSource& source);
/// A raw file of PICO, whose name says size and algorithm, or its summary.
Result<ImportedTimes> read_pico(const ImportSource& source);
/// Tables with a line of titles: what alltold exports, PICO's summaries, others by `columns`.
Result<ImportedTimes> read_csv(const ImportSource& source);

} // namespace alltold
