// SPDX-License-Identifier: BSD-3-Clause
// Logs as people have them: each is imported as what it is, or refused with the line that is wrong.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "scratch.hpp"
#include "store/import/import.hpp"
#include "store/same_network.hpp"

namespace alltold {
namespace {

using test::Scratch;
using test::write_file;

const std::string osu_bcast = "# OSU MPI Broadcast Latency Test v7.3\n"
                              "# Datatype: MPI_CHAR.\n"
                              "# Size       Avg Latency(us)\n";
const std::string imb_titles =
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";
const std::string repro_titles = "                 test       nrep        count    runtime_sec\n";

/// A log and what becomes of it.
struct LogShape {
    std::string name;
    std::string given; ///< in front of the file, such as "8:"
    std::string text;
    /// "probe algorithm clusters bytes microseconds", one a line, or the error behind the file's
    /// name.
    std::string imported;
    int noise = 0;
    std::size_t skipped = 0;
    std::string file = "log.txt";
    std::string columns = {};
};

void PrintTo(const LogShape& shape, std::ostream* out) {
    *out << shape.name;
}

std::string text_of(const Imported& imported) {
    std::vector<std::string> lines;
    for (const auto& [point, sample] : imported.samples)
        lines.push_back(fmt::format("{} {} {} {} {:.6g}{}{}", point.probe, point.algorithm,
                                    point.clusters.text(), point.size_bytes, 1e6 * sample.value,
                                    sample.summary && sample.summary->mean_of_ranks ? " mean" : "",
                                    sample.warmup ? " warm-up" : ""));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

class ImportLogs : public testing::TestWithParam<LogShape> {};

TEST_P(ImportLogs, are_imported_as_what_they_are_or_refused_by_line) {
    const auto& shape = GetParam();
    const Scratch scratch;
    const auto path = (scratch / shape.file).string();
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_file(path, shape.text);
    ImportRequest request;
    if (!shape.columns.empty()) {
        const auto columns = CsvColumns::parse(shape.columns);
        ASSERT_TRUE(columns) << columns.error().message;
        request.columns = *columns;
    }
    const std::vector files{import_file(shape.given + path)};
    const auto imported = import_files(files, request);
    if (!imported) {
        auto message = imported.error().message;
        for (const auto& [there, shown] :
             {std::pair(path, "FILE"), std::pair(scratch.directory().string(), "ROOT")})
            for (auto at = message.find(there); at != message.npos; at = message.find(there))
                message.replace(at, there.size(), shown);
        EXPECT_EQ(message, shape.imported);
        return;
    }
    EXPECT_EQ(text_of(*imported), shape.imported);
    EXPECT_EQ(imported->noise.lines, shape.noise) << imported->noise.first;
    EXPECT_EQ(imported->skipped.size(), shape.skipped) << fmt::format("{}", imported->skipped);
}

const std::vector<LogShape> osu_logs{
    {"means_over_ranks", "2x32:", osu_bcast + "1                       6.67\n1048576  97.5\n",
     "bcast mpi 2x32 1 6.67 mean\nbcast mpi 2x32 1048576 97.5 mean"},
    {"shell_noise", "8:",
     "+ mpirun -n 8 ./osu_bcast\n" + osu_bcast +
         "1   6.67\nreal\t0m3.2s\nuser 0m1.0s\nMon Sep 11 15:04:20 UTC 2023\n2024-09-11 done\n"
         "15:04:20 up 3 days\n",
     "bcast mpi 8 1 6.67 mean", 6},
    {"open_mpi_noise", "8:",
     "[n1:12] 3 more processes have sent help message help-mpi-btl.txt\n" + osu_bcast +
         "1   6.67\n2 total processes killed (some possibly by mpirun)\n4  7.5\n",
     "bcast mpi 8 1 6.67 mean\nbcast mpi 8 4 7.5 mean", 2},
    {"tagged_output", "4:",
     "[1,0]<stdout>:# OSU MPI Broadcast Latency Test v5.6\n"
     "[1,0]<stdout>:# Size       Avg Latency(us)\n[1,0]<stdout>:8      2.50\n[1,3]<stderr>:slow\n",
     "bcast mpi 4 8 2.5 mean", 1},
    {"tagged_by_job_name", "4:",
     "[prterun-n1-77@1,0]<stdout>: # OSU MPI Broadcast Latency Test v5.6\n"
     "[prterun-n1-77@1,0]<stdout>: # Size       Avg Latency(us)\n"
     "[prterun-n1-77@1,0]<stdout>: 8      2.50\n",
     "bcast mpi 4 8 2.5 mean"},
    {"slurm_labels", "16:",
     "srun: job 12 queued and waiting for resources\n 0: # OSU MPI Allgather Latency Test v7.1\n"
     " 0: # Size       Avg Latency(us)\n 0: 64      21.5\n12: \n",
     "allgather mpi 16 64 21.5 mean", 1},
    {"hydra_labels", "16:",
     "[0] # OSU MPI Gather Latency Test v7.1\n[0] # Size       Avg Latency(us)\n[0] 64      21.5\n",
     "gather mpi 16 64 21.5 mean"},
    {"indented_and_crlf", "8:",
     "\r\n    # OSU MPI Reduce Latency Test v5.3\r\n    # Size       Avg Latency(us)\r\n"
     "    4                6.13\r\n",
     "reduce mpi 8 4 6.13 mean"},
    {"colours_and_a_byte_order_mark", "8:",
     "\xef\xbb\xbf\x1b[1;32m# OSU MPI Scatter Latency Test v5.3\x1b[0m\n"
     "# Size       Avg Latency(us)\n\x1b[33m4\x1b[0m     6.13\n",
     "scatter mpi 8 4 6.13 mean"},
    {"full_with_validation", "8:",
     "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_INT.\n"
     "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
     "          Validation\n"
     "4   6.00   5.00   7.25   1000   Pass\n8   6.00   5.00   9.00   1000   Fail\n",
     "allreduce mpi 8 4 7.25", 0, 1},
    {"tail_columns", "8:",
     "# OSU MPI Allreduce Latency Test v7.4\n"
     "# Size       Avg Latency(us)     P50 Tail Lat(us)     P99 Tail Lat(us)\n"
     "4   6.00   5.00   47.25\n",
     "allreduce mpi 8 4 6 mean"},
    {"titles_with_single_blanks", "8:",
     "# OSU MPI Allreduce Latency Test v7.4\n# Size Avg Latency(us) Min Latency(us) Max "
     "Latency(us) "
     "Iterations\n4 6.00 5.00 7.00 1000\n",
     "allreduce mpi 8 4 7"},
    {"several_benchmarks_and_nonblocking", "8:",
     osu_bcast + "8 2.5\n\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
                 "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
                 "# Size    Overall(us)   Compute(us)   Pure Comm.(us)   Overlap(%)\n"
                 "4  20.0  10.0  9.5  12.0\n"
                 "# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n            12.50\n",
     "bcast mpi 8 8 2.5 mean\nbarrier mpi 8 0 12.5 mean", 0, 1},
    {"persistent_and_gpu", "2:",
     "# OSU MPI Allreduce Persistent Latency Test v7.4\n# Size       Avg Latency(us)\n4 6.00\n"
     "# OSU MPI-CUDA Latency Test v5.8\n# Size          Latency (us)\n4 6.00\n"
     "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n0 1.0\n4 6.00\n",
     "pingpong mpi 2 4 6", 0, 2},
    {"blocks_of_a_reduce_scatter", "4:",
     "# OSU MPI Reduce_scatter Latency Test v5.6\n# Size       Avg Latency(us)\n8 6.0\n1024 7.0\n",
     "reduce_scatter_block mpi 4 256 7 mean", 0, 1},
    {"bandwidth_as_trains", "",
     "# OSU MPI Bandwidth Test v5.6.2\n# Size      Bandwidth (MB/s)\n65536    1024.00\n",
     "train mpi 2 65536 4096"},
    {"several_pairs", "",
     "# OSU MPI Latency Test v5.6\n# Size   Latency (us)\n8  1.5\n"
     "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6\n"
     "# [ pairs: 4 ] [ window size: 64 ]\n# Size    MB/s    Messages/s\n8  40.0  5000000.0\n",
     "pingpong mpi 2 8 1.5\npairs mpi 2x4 8 51.2"},
    {"pairs_on_hosts_of_their_own", "8:",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 4 ] [ window size: 32 ]\n"
     "# Size    MB/s    Messages/s\n8  40.0  5000000.0\n",
     "pairs mpi 8 8 25.6"},
    {"more_pairs_than_ranks", "2:",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 4 ] [ window size: 32 ]\n"
     "# Size    MB/s    Messages/s\n8  40.0  5000000.0\n",
     "FILE:4: 8 ranks took part, but 2 has 2, in '8  40.0  5000000.0'"},
    {"both_ways", "",
     "# OSU MPI Bi-Directional Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n8  40.0\n",
     "exchange mpi 2 8 25.6"},
    {"no_ranks", "", osu_bcast + "8 2.5\n",
     "FILE: does not say how many ranks took part; write 8:FILE, or 2x32:FILE for 2 hosts with 32 "
     "ranks each, or give --clusters"},
    {"a_broken_number", "8:", osu_bcast + "8 2.5\n16 2.5x\n",
     "FILE:5: expected microseconds as word 2, in '16 2.5x'"},
    {"a_cut_row", "8:",
     "# OSU MPI Allreduce Latency Test v7.4\n"
     "# Size   Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n4 6.0 5.0 7.0\n",
     "FILE:3: expected 5 words, in '4 6.0 5.0 7.0'"},
    {"two_lines_in_one", "8:", osu_bcast + "8 2.5 16 2.7\n",
     "FILE:4: expected 2 words, in '8 2.5 16 2.7'"},
};

const std::vector<LogShape> imb_logs{
    {"one_number_of_processes", "",
     "# Benchmarking Allreduce\n# #processes = 4\n# ( 12 additional processes waiting in "
     "MPI_Barrier)\n" +
         imb_titles + "   0  1000  0.1  0.1  0.1\n  64  1000  1.0  3.0  2.0\n",
     "allreduce mpi 4 64 3"},
    {"in_parentheses", "4+4:",
     "# Benchmarking Bcast \n# ( #processes = 6 ) \n" + imb_titles + "  64  1000  1.0  3.0  2.0\n",
     "bcast mpi 4+2 64 3"},
    {"multi_groups", "",
     "# Benchmarking Multi-Bcast \n# ( 2 groups of 4 processes each running simultaneous ) \n"
     "#  Group  0:     0    1    2    3\n        Group" +
         imb_titles +
         "  0  64  1000  1.0  3.0  2.0\n  1  64  1000  1.0  3.0  2.0\n"
         "# Benchmarking Bcast \n# #processes = 8\n        Group" +
         imb_titles + "  0  64  1000  1.0  4.0  2.0\n",
     "bcast mpi 8 64 4", 0, 1},
    {"without_times", "",
     "# Benchmarking Alltoall\n# #processes = 4\n" + imb_titles +
         "  64  1000  1.0  3.0  2.0\n 128 out-of-mem.; needed X=   1.0 GB; use flag \"-mem X\"\n"
         " 256 time-out.; Time limit (secs_per_sample) is over\n",
     "alltoall mpi 4 64 3", 0, 2},
    {"ping_pong_sendrecv_barrier", "",
     "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n"
     "1024 1000 10.5 97.5\n# Benchmarking Sendrecv\n# #processes = 2\n"
     "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n1024 1000 1 2 1.5 9\n"
     "# Benchmarking Barrier\n# #processes = 8\n#repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
     "1000 5.0 6.0 5.5\n",
     "pingpong mpi 2 1024 10.5\nexchange mpi 2 1024 2\nbarrier mpi 8 0 6"},
    {"ping_pong_within_a_host", "2x32:",
     "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n"
     "1024 1000 10.5 97.5\n# Benchmarking Bcast\n# #processes = 64\n" +
         imb_titles + "64 1000 1 2 1.5\n",
     "bcast mpi 2x32 64 2", 0, 1},
    {"defects", "",
     "# Benchmarking Bcast\n# #processes = 4\n"
     "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] defects\n"
     "64 1000 1 2 1.5 0.00\n128 1000 1 2 1.5 1.00\n",
     "bcast mpi 4 64 2", 0, 1},
    {"a_row_without_its_end", "",
     "# Benchmarking Bcast\n# #processes = 4\n" + imb_titles + "64 1000 1.0 2.0\n",
     "FILE:4: expected 5 words, in '64 1000 1.0 2.0'"},
    {"osu_in_the_same_log", "8:",
     osu_bcast + "8 2.5\nreal 0m1s\n# Benchmarking Bcast\n# #processes = 4\n" + imb_titles +
         "64 1000 1.0 2.0 1.5\n",
     "bcast mpi 8 8 2.5 mean\nloop:bcast mpi 4 64 2", 1},
};

const std::vector<LogShape> other_logs{
    {"repro_counts", "",
     "#Command-Line Arguments: ./mpibenchmark\n#@operation=MPI_BOR\n#@datatype=MPI_DOUBLE\n"
     "#@datatype_extent_bytes=8\n#@datatype_size_bytes=8\n#@nprocs=4\n#@sync=MPI_Barrier\n" +
         repro_titles +
         "   MPI_Allreduce   0   100   0.0000109819\n"
         "   MPI_Allreduce   1   100   0.0000100000\n# Execution time: 2s\n",
     "allreduce mpi 4 800 10.9819\nallreduce mpi 4 800 10"},
    {"repro_windows", "",
     "#@datatype_extent_bytes=1\n#@nprocs=4\n#@procsync=window\n"
     "   test   nrep   count   errorcode   runtime_sec\n"
     "   MPI_Bcast 0 100 0 0.00001\n   MPI_Bcast 1 100 4 0.5\n",
     "bcast mpi 4 100 10", 0, 1},
    {"repro_summary", "",
     "#@datatype_extent_bytes=8\n#@nprocs=4\n#@procsync=MPI_Barrier\n"
     "   test   count   total_nrep   valid_nrep   mean_sec   median_sec   min_sec\n"
     "   MPI_Alltoall   100   50   50   0.000012   0.000010   0.000009\n",
     "alltoall mpi 4 800 10"},
    {"repro_count_of_what", "4:", repro_titles + "   MPI_Bcast   0   100   0.00001\n",
     "FILE:2: a count without '#@datatype_size_bytes=' or '#@datatype_extent_bytes=' before it, in "
     "'MPI_Bcast   0   100   0.00001'"},
    {"repro_extremes", "4:",
     "#@nprocs=4\ntest  msize  total_nrep  valid_nrep  min_sec  max_sec\nMPI_Bcast 8 9 9 1 2\n",
     "FILE:2: expected the columns test, msize or count, and runtime_sec, median_sec or mean_sec, "
     "in "
     "'test  msize  total_nrep  valid_nrep  min_sec  max_sec'"},
    {"repro_verbose", "",
     "#@nprocs=2\nprocess test nrep msize loc_tstart_sec loc_tend_sec\n0 MPI_Bcast 0 8 1.0 1.5\n",
     "FILE:2: expected the columns test, msize or count, and runtime_sec, median_sec or mean_sec, "
     "in "
     "'process test nrep msize loc_tstart_sec loc_tend_sec'"},
    {"skampi", "",
     "# SKaMPI Version 5.0.4 rev. 355\n\n# begin result \"MPI_Alltoall-procs-short\"\n"
     "procs= 2     1024      12.5       0.2       16      12.1      12.5\n"
     "procs= 4     1024      40.0       0.6       32      39.0      40.0       ---       ---\n"
     "# end result \"MPI_Alltoall-procs-short\"\n"
     "# begin result \"Alltoall_using_Isend_Irecv-length\"\ncount= 1 4 1.0 0.1 8\n"
     "# end result \"Alltoall_using_Isend_Irecv-length\"\n"
     "# begin result \"Pingpong_Send_Recv-length\"\ncount= 1 4 3.0 0.1 8\n",
     "alltoall mpi 2 1024 12.5\nalltoall mpi 4 1024 40\npingpong mpi 2 4 1.5", 0, 1},
    {"pico_raw_without_metadata", "8x2:", "highest,rank0,rank1\n5000,4000,5000\n3000,3000,2000\n",
     "allgather pico.ring_over 8x2 256 5 warm-up\nallgather pico.ring_over 8x2 256 3", 0, 0,
     "1024_ring_over_int32.csv", "collective:allgather"},
    {"pico_raw_of_what", "8:", "highest\n5000\n",
     "FILE: no ROOT_metadata.csv names its collective; give --columns collective:NAME", 0, 0,
     "t/0/1024_ring_over_int32.csv"},
    {"pico_summary", "",
     "collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,nnodes,tasks_per_node,"
     "n_iter,mpi_lib,mpi_lib_version\n"
     "ALLGATHER,512,2048,ring_ompi,int32,7000,6000,2x2x2,1,100,OMPI,4.1.6\n"
     "BCAST,512,2048,default_ompi,int32,7000,6000,4,2,100,OMPI,4.1.6\n"
     "BCAST,512,2048,linear_ompi,int32,7000,5000,4,2,100,OMPI,4.1.6\n"
     "BCAST,512,2048,bine_lat_over,int32,7000,4000,4,2,100,OMPI,4.1.6\n",
     "allgather mpi.ring 8 256 6\nbcast mpi 4x2 2048 6\nbcast mpi.basic_linear 4x2 2048 5\n"
     "bcast pico.bine_lat_over 4x2 2048 4"},
    {"columns_by_name", "",
     "op;alg;n;size;avg\nallreduce;\"ring; long\";8;1024;12.5\nbcast;default;16;64;3.25\n"
     "real 0m1s\n",
     "allreduce csv.ring;_long 8 1024 12.5\nbcast mpi 16 64 3.25", 1, 0, "log.txt",
     "collective=op,bytes=size,time_us=avg,ranks=n,algorithm=alg"},
    {"columns_and_a_placement", "4x2:", "m,us\n64,3.25\n", "alltoall mpi 2x2/1 64 3.25", 0, 0,
     "log.txt", "collective:alltoall,bytes=m,time_us=us,ranks:5"},
    {"a_short_row", "", "op,n,size,avg\nbcast,8,1024\n",
     "FILE:2: 3 fields where there are 4 titles, in 'bcast,8,1024'", 0, 0, "log.txt",
     "collective=op,bytes=size,time_us=avg,ranks=n"},
    {"a_column_that_is_not_there", "", "op,n,size,avg\nbcast,8,1024,1\n",
     "FILE: --columns: no column 'mean'; the columns are op, n, size, avg", 0, 0, "log.txt",
     "collective=op,bytes=size,time_us=mean,ranks=n"},
    {"a_table_without_columns", "", "op,n,size,avg\nbcast,8,1024,1\n",
     "FILE: no heading of a known benchmark in 2 lines, which begin 'op,n,size,avg', "
     "'bcast,8,1024,1'; known are osu, imb, repro, skampi, pico, csv; for a table with titles give "
     "--columns"},
    {"what_alltold_exports", "6+6:",
     "probe,algorithm,clusters,size_bytes,first_rank,second_rank,count,repetition,warmup,time_s,"
     "taken_unix_s,retransmitted\n"
     "pingpong,mpi,2,64,6,7,0,0,1,0.0001,1700000000,\n"
     "alltoall,alltoall.rotated window=4,6+6,64,-1,-1,0,0,0,0.002,1700000000,5\n",
     "pingpong mpi 2 64 100 warm-up\nalltoall alltoall.rotated window=4 6+6 64 2000"},
    {"exported_pairs_without_ranks", "",
     "probe,algorithm,clusters,size_bytes,first_rank,second_rank,count,repetition,warmup,time_s,"
     "taken_unix_s,retransmitted\npingpong,mpi,2,64,6,7,0,0,1,0.0001,1700000000,\n",
     "FILE:2: a part of ranks that the table does not place; write CLUSTERS:FILE with the "
     "campaign's "
     "clusters, in 'pingpong,mpi,2,64,6,7,0,0,1,0.0001,1700000000,'"},
    {"nothing_at_all", "8:", "",
     "FILE: no heading of a known benchmark in 0 lines, which begin nowhere; known are osu, imb, "
     "repro, skampi, pico, csv; for a table with titles give --columns"},
};

std::string name_of_shape(const testing::TestParamInfo<LogShape>& shape) {
    return shape.param.name;
}
INSTANTIATE_TEST_SUITE_P(Osu, ImportLogs, testing::ValuesIn(osu_logs), name_of_shape);
INSTANTIATE_TEST_SUITE_P(Imb, ImportLogs, testing::ValuesIn(imb_logs), name_of_shape);
INSTANTIATE_TEST_SUITE_P(Other, ImportLogs, testing::ValuesIn(other_logs), name_of_shape);

/// Imports files into a campaign as `alltold import` does.
Status import_into(const std::filesystem::path& path, const std::vector<std::string>& files,
                   const ImportRequest& request = {}) {
    std::optional<Provenance> there;
    if (std::filesystem::exists(path)) {
        ALLTOLD_TRY(campaign, Campaign::read(path));
        ALLTOLD_TRY(provenance, campaign->provenance());
        there = *provenance;
    }
    std::vector<ImportFile> named;
    for (const auto& file : files)
        named.push_back(import_file(file));
    ALLTOLD_TRY(imported, import_files(named, request, there));
    ALLTOLD_TRY(campaign, Campaign::resume(path, imported->where, 1));
    return campaign->add_all(imported->samples);
}

std::string osu(const char* test, double time_us) {
    return fmt::format("# OSU MPI {} Test v7.3\n# Size       Avg Latency(us)\n64  {}\n", test,
                       time_us);
}

TEST(ImportCampaign, grows_with_other_numbers_of_ranks_and_formats) {
    const Scratch scratch;
    const auto file = [&](const std::string& given, const char* name) {
        return given + (scratch / name).string();
    };
    write_file(scratch / "latency.txt", osu("Latency", 1.5));
    write_file(scratch / "bcast.txt", osu("Broadcast Latency", 9));
    write_file(scratch / "imb.txt", "# Benchmarking PingPong\n# #processes = 2\n"
                                    "#bytes #repetitions t[usec] Mbytes/sec\n64 1000 2.5 97.5\n"
                                    "# Benchmarking Bcast\n# #processes = 4\n" +
                                        imb_titles + "64 1000 1.0 2.0 1.5\n");
    const auto path = scratch / "net.db";
    ASSERT_TRUE(import_into(path, {file("2:", "latency.txt"), file("8:", "bcast.txt")}));
    const auto two = import_into(path, {file("2x32:", "bcast.txt"), file("", "imb.txt")});
    ASSERT_TRUE(two) << two.error().message;
    ASSERT_TRUE(import_into(path, {file("3+4:", "bcast.txt")}));

    const auto campaign = Campaign::read(path);
    const auto where = campaign->provenance();
    ASSERT_TRUE(where);
    EXPECT_EQ(where->clusters.text(), "2x32/6+4");
    EXPECT_EQ(where->hosts.size(), 74U);
    EXPECT_EQ(where->start_mode, StartMode::barrier);
    const auto points = campaign->points();
    ASSERT_TRUE(points) << points.error().message;
    std::vector<std::string> found;
    for (const auto& [point, samples, unit] : *points)
        found.push_back(fmt::format("{} {} {}-{}: {}", point.probe, point.clusters.text(),
                                    point.first_rank, point.second_rank, samples.size()));
    // Both ping-pongs are of the first two hosts, whatever the numbers of their ranks became.
    EXPECT_EQ(found, (std::vector<std::string>{"pingpong 2 0-32: 2", "bcast 8 -1--1: 1",
                                               "bcast 2x32 -1--1: 1", "loop:bcast 4 -1--1: 1",
                                               "bcast 3+4 -1--1: 1"}));
    EXPECT_EQ(points->front().samples.front().summary, (Summary{0, false}));
}

TEST(ImportCampaign, is_of_one_mpi_library) {
    const Scratch scratch;
    write_file(scratch / "bcast.txt", osu("Broadcast Latency", 9));
    const auto path = scratch / "net.db";
    const std::vector<std::string> files{"8:" + (scratch / "bcast.txt").string()};
    ASSERT_TRUE(import_into(path, files));
    ASSERT_TRUE(import_into(path, files, {.library = "Open MPI v4.1.6"}));
    ASSERT_TRUE(import_into(path, files)); // which does not say
    EXPECT_EQ(Campaign::read(path)->provenance()->mpi_library, "Open MPI v4.1.6");
    const auto other = import_into(path, files, {.library = "MPICH 4.2"});
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("measured with 'Open MPI v4.1.6'"), std::string::npos)
        << other.error().message;
}

TEST(ImportCampaign, measured_by_alltold_does_not_grow) {
    const Scratch scratch;
    ASSERT_TRUE(Campaign::resume(scratch / "net.db", test::four_hosts(), 1));
    write_file(scratch / "bcast.txt", osu("Broadcast Latency", 9));
    const auto imported =
        import_into(scratch / "net.db", {"8:" + (scratch / "bcast.txt").string()});
    ASSERT_FALSE(imported);
    EXPECT_NE(imported.error().message.find("describes another network"), std::string::npos);
}

TEST(ImportCampaign, of_pico_takes_what_its_metadata_says) {
    const Scratch scratch;
    const auto folder = scratch / "results/lumi/2025_03_16/0";
    std::filesystem::create_directories(folder);
    write_file(folder / "512_recursive_doubling_mpich_int32.csv", "highest\n9000\n4000\n5000\n");
    write_file(scratch / "results/lumi_metadata.csv",
               "timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version\n"
               "2025_03_16,1,4,1,BCAST,MPICH,4.2\n2025_03_16,0,16,2,ALLREDUCE,MPICH,4.2\n");
    const std::vector files{
        import_file((folder / "512_recursive_doubling_mpich_int32.csv").string())};
    const auto imported = import_files(files, {});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(text_of(*imported), "allreduce mpi.recursive_doubling 16x2 2048 9 warm-up\n"
                                  "allreduce mpi.recursive_doubling 16x2 2048 4\n"
                                  "allreduce mpi.recursive_doubling 16x2 2048 5");
    EXPECT_EQ(imported->where.mpi_library, "MPICH 4.2");
    EXPECT_EQ(imported->where.start_mode, StartMode::barrier);
}

TEST(ImportCampaign, takes_only_the_rows_that_are_wanted) {
    const Scratch scratch;
    write_file(scratch / "table.csv", "net,m,us\na,64,1.5\nb,64,2.5\n");
    write_file(scratch / "bcast.txt", osu("Broadcast Latency", 9));
    ImportRequest request{.clusters = Clusters({4})};
    request.columns = *CsvColumns::parse("collective:bcast,bytes=m,time_us=us");
    request.columns.only = {"net", "b"};
    const std::vector table{import_file((scratch / "table.csv").string())};
    const auto imported = import_files(table, request);
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(text_of(*imported), "bcast mpi 4 64 2.5");
    request.columns.only = {"network", "b"};
    EXPECT_NE(import_files(table, request)
                  .error()
                  .message.find("no column 'network'; the columns are net, m, us"),
              std::string::npos);
    const std::vector log{import_file((scratch / "bcast.txt").string())};
    EXPECT_EQ(import_files(log, request).error().message,
              "--columns and --only: none of the files is a table");
}

TEST(ImportCampaign, names_a_file_by_its_path_where_it_begins_as_ranks_do) {
    EXPECT_EQ(import_file("8:a.txt").clusters->text(), "8");
    EXPECT_EQ(import_file("8:a.txt").name, "a.txt");
    EXPECT_EQ(import_file("./8:a.txt").name, "./8:a.txt");
    EXPECT_FALSE(import_file("./8:a.txt").clusters);
    EXPECT_EQ(import_file("run:a.txt").name, "run:a.txt");
}

/// Measurements of real clusters, which are not in the repository. Skipped without them.
TEST(ImportMeasured, real_files_are_imported_whole) {
    const std::filesystem::path folder = MEASURED;
    if (!std::filesystem::exists(folder / "fugaku.csv"))
        GTEST_SKIP() << folder << " is not there";
    const auto samples = [&](const std::string& file, const std::string& given_ranks = "",
                             const ImportRequest& request = {}) {
        const std::vector files{import_file(given_ranks + (folder / file).string())};
        const auto imported = import_files(files, request);
        EXPECT_TRUE(imported) << imported.error().message;
        return imported ? imported->samples.size() : 0;
    };
    EXPECT_EQ(samples("fugaku.csv"), 1720U);
    EXPECT_EQ(samples("leonardo.csv"), 680U);
    EXPECT_EQ(samples("lumi.csv"), 609U);
    EXPECT_EQ(samples("mare_nostrum.csv"), 336U);
    ImportRequest gigabit;
    gigabit.columns = *CsvColumns::parse("collective:alltoall,bytes=size_bytes,time_us=mean_us,"
                                         "ranks=ranks,algorithm=library");
    gigabit.columns.only = {"source", "gbe-4x2"};
    EXPECT_EQ(samples("gbe-2006.csv", "4x2:", gigabit), 42U);
    EXPECT_EQ(samples("osu/alaska-roce/Osu_alltoall.out", "2x32:"), 21U);
    EXPECT_EQ(samples("osu/alaska-roce/IMB_PingPong.out"), 23U);
    EXPECT_EQ(samples("osu/alaska-ib/Osu_bw.out"), 23U);
}

} // namespace
} // namespace alltold
