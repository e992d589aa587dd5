! SPDX-License-Identifier: BSD-3-Clause
! Every collective that alltold takes, called from Fortran with known data: with MPI_IN_PLACE and
! MPI_BOTTOM, blocking and nonblocking. BINDING is 0 for mpif.h, 1 for use mpi, 2 for use mpi_f08.
#if BINDING == 2
#define COMMUNICATOR type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define ERROR_ARGUMENT
#else
#define COMMUNICATOR integer
#define DATATYPE integer
#define REQUEST integer
#define ERROR_ARGUMENT , error
#endif

module checks
#if BINDING == 2
    use mpi_f08
#elif BINDING == 1
    use mpi
#endif
    implicit none
#if BINDING == 0
    include 'mpif.h'
#endif
    integer, parameter :: m = 700 ! integers of a block
    integer :: rank, n, error = 0
    logical :: right = .true.

contains

    !> What integer i of the block from rank `source` to rank `target` is.
    pure integer function content(source, target, i)
        integer, intent(in) :: source, target, i
        content = 1000000*source + 10000*target + i
    end function

    subroutine check(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (.not. condition) print *, 'rank', rank, ': wrong: ', what
        right = right .and. condition
    end subroutine

    subroutine broadcasts(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: buffer(m)
        integer :: i
        REQUEST :: started
        DATATYPE :: type
        integer(MPI_ADDRESS_KIND) :: place(1)
        buffer = -1
        if (rank == 1) buffer = [(content(1, 0, i), i=1, m)]
        call MPI_Bcast(buffer, m, MPI_INTEGER, 1, comm ERROR_ARGUMENT)
        call check(all(buffer == [(content(1, 0, i), i=1, m)]), 'broadcast')
        if (rank /= 0) buffer = -1
        call MPI_Ibcast(buffer, m, MPI_INTEGER, 0, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(buffer == [(content(1, 0, i), i=1, m)]), 'nonblocking broadcast')
        if (rank /= 1) buffer = -1
        call MPI_Get_address(buffer, place(1) ERROR_ARGUMENT)
        call MPI_Type_create_hindexed(1, [m], place, MPI_INTEGER, type ERROR_ARGUMENT)
        call MPI_Type_commit(type ERROR_ARGUMENT)
        call MPI_Bcast(MPI_BOTTOM, 1, type, 1, comm ERROR_ARGUMENT)
        call MPI_Type_free(type ERROR_ARGUMENT)
        call check(all(buffer == [(content(1, 0, i), i=1, m)]), 'broadcast from MPI_BOTTOM')
    end subroutine

    subroutine scatters_and_gathers(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: all_blocks(m, 0:n - 1), own(m)
        integer :: i, j
        REQUEST :: started
        all_blocks = reshape([((content(0, j, i), i=1, m), j=0, n - 1)], [m, n])
        own = -1
        call MPI_Scatter(all_blocks, m, MPI_INTEGER, own, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        call check(all(own == [(content(0, rank, i), i=1, m)]), 'scatter')
        if (rank == 0) then
            call MPI_Scatter(all_blocks, m, MPI_INTEGER, MPI_IN_PLACE, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        else
            own = -1
            call MPI_Scatter(all_blocks, m, MPI_INTEGER, own, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        end if
        call check(all(own == [(content(0, rank, i), i=1, m)]), 'scatter in place')
        own = -1
        call MPI_Iscatter(all_blocks, m, MPI_INTEGER, own, m, MPI_INTEGER, 0, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(own == [(content(0, rank, i), i=1, m)]), 'nonblocking scatter')

        all_blocks = -1
        call MPI_Gather(own, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        call check_gathered('gather')
        all_blocks = -1
        if (rank == 0) then
            all_blocks(:, 0) = own
            call MPI_Gather(MPI_IN_PLACE, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        else
            call MPI_Gather(own, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, 0, comm ERROR_ARGUMENT)
        end if
        call check_gathered('gather in place')
        all_blocks = -1
        call MPI_Igather(own, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, 0, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check_gathered('nonblocking gather')

    contains

        subroutine check_gathered(what)
            character(*), intent(in) :: what
            if (rank /= 0) return
            call check(all(all_blocks == reshape([((content(0, j, i), i=1, m), j=0, n - 1)], [m, n])), what)
        end subroutine
    end subroutine

    subroutine alltoalls(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: send(m, 0:n - 1), receive(m, 0:n - 1)
        integer :: expected(m, 0:n - 1), i, j
        REQUEST :: started
        send = reshape([((content(rank, j, i), i=1, m), j=0, n - 1)], [m, n])
        expected = reshape([((content(j, rank, i), i=1, m), j=0, n - 1)], [m, n])
        receive = -1
        call MPI_Alltoall(send, m, MPI_INTEGER, receive, m, MPI_INTEGER, comm ERROR_ARGUMENT)
        call check(all(receive == expected), 'all-to-all')
        receive = send
        call MPI_Alltoall(MPI_IN_PLACE, m, MPI_INTEGER, receive, m, MPI_INTEGER, comm ERROR_ARGUMENT)
        call check(all(receive == expected), 'all-to-all in place')
        receive = -1
        call MPI_Ialltoall(send, m, MPI_INTEGER, receive, m, MPI_INTEGER, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(receive == expected), 'nonblocking all-to-all')
    end subroutine

    !> Rank i sends i + j + 1 integers to rank j.
    subroutine vector_alltoalls(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: send(m, 0:n - 1), receive(m, 0:n - 1)
        integer :: expected(m, 0:n - 1), counts(0:n - 1), places(0:n - 1), i, j
        REQUEST :: started
        send = reshape([((content(rank, j, i), i=1, m), j=0, n - 1)], [m, n])
        expected = -1
        do j = 0, n - 1
            counts(j) = rank + j + 1
            places(j) = m*j
            expected(:counts(j), j) = [(content(j, rank, i), i=1, counts(j))]
        end do
        receive = -1
        call MPI_Alltoallv(send, counts, places, MPI_INTEGER, receive, counts, places, MPI_INTEGER, comm ERROR_ARGUMENT)
        call check(all(receive == expected), 'all-to-all-v')
        receive = -1
        do j = 0, n - 1
            receive(:counts(j), j) = send(:counts(j), j)
        end do
        call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, receive, counts, places, MPI_INTEGER, &
                           comm ERROR_ARGUMENT)
        call check(all(receive == expected), 'all-to-all-v in place')
        receive = -1
        call MPI_Ialltoallv(send, counts, places, MPI_INTEGER, receive, counts, places, MPI_INTEGER, &
                            comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(receive == expected), 'nonblocking all-to-all-v')
    end subroutine
end module

program collectives
    use checks
    implicit none
    logical :: all_right
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, n, error)
    call broadcasts(MPI_COMM_WORLD)
    call scatters_and_gathers(MPI_COMM_WORLD)
    call alltoalls(MPI_COMM_WORLD)
    call vector_alltoalls(MPI_COMM_WORLD)
    call MPI_Allreduce(right, all_right, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
    if (rank == 0 .and. all_right) print '(a)', 'all right'
    call MPI_Finalize(error)
    if (.not. all_right) stop 1
end program
