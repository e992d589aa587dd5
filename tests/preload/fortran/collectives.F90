! SPDX-License-Identifier: BSD-3-Clause
! Every collective that alltold takes, called from Fortran with known data: with MPI_IN_PLACE and
! MPI_BOTTOM, blocking and nonblocking. BINDING is 0 for mpif.h, 1 for use mpi, 2 for use mpi_f08.
#if BINDING == 2
#define COMMUNICATOR type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define OPERATOR_HANDLE type(MPI_Op)
#define ERROR_ARGUMENT
#else
#define COMMUNICATOR integer
#define DATATYPE integer
#define REQUEST integer
#define OPERATOR_HANDLE integer
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
    subroutine allgathers(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: all_blocks(m, 0:n - 1), own(m)
        integer :: expected(m, 0:n - 1), i, j
        REQUEST :: started
        expected = reshape([((content(j, 0, i), i=1, m), j=0, n - 1)], [m, n])
        own = expected(:, rank)
        all_blocks = -1
        call MPI_Allgather(own, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, comm ERROR_ARGUMENT)
        call check(all(all_blocks == expected), 'allgather')
        all_blocks = -1
        all_blocks(:, rank) = own
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all_blocks, m, MPI_INTEGER, comm ERROR_ARGUMENT)
        call check(all(all_blocks == expected), 'allgather in place')
        all_blocks = -1
        call MPI_Iallgather(own, m, MPI_INTEGER, all_blocks, m, MPI_INTEGER, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(all_blocks == expected), 'nonblocking allgather')
    end subroutine

    subroutine reductions(comm)
        COMMUNICATOR, intent(in) :: comm
        integer, asynchronous :: own(m), result(m)
        double precision :: numbers(m), largest(m)
        integer :: blocks(m, 0:n - 1), sum_of_all(m), sum_so_far(m), sum_before(m), i, j
        REQUEST :: started
        own = [(content(rank, 0, i), i=1, m)]
        sum_of_all = [(sum([(content(j, 0, i), j=0, n - 1)]), i=1, m)]
        sum_so_far = [(sum([(content(j, 0, i), j=0, rank)]), i=1, m)]
        sum_before = sum_so_far - own
        result = -1
        call MPI_Reduce(own, result, m, MPI_INTEGER, MPI_SUM, 1, comm ERROR_ARGUMENT)
        call check(all(result == merge(sum_of_all, -1, rank == 1)), 'reduce')
        result = own
        if (rank == IN_PLACE_ROOT) then
            call MPI_Reduce(MPI_IN_PLACE, result, m, MPI_INTEGER, MPI_SUM, IN_PLACE_ROOT, comm ERROR_ARGUMENT)
        else
            call MPI_Reduce(own, result, m, MPI_INTEGER, MPI_SUM, IN_PLACE_ROOT, comm ERROR_ARGUMENT)
        end if
        call check(all(result == merge(sum_of_all, own, rank == IN_PLACE_ROOT)), 'reduce in place')
        result = -1
        call MPI_Ireduce(own, result, m, MPI_INTEGER, MPI_SUM, 0, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(result == merge(sum_of_all, -1, rank == 0)), 'nonblocking reduce')

        result = -1
        call MPI_Allreduce(own, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(result == sum_of_all), 'allreduce')
        result = own
        call MPI_Allreduce(MPI_IN_PLACE, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(result == sum_of_all), 'allreduce in place')
        result = -1
        call MPI_Iallreduce(own, result, m, MPI_INTEGER, MPI_SUM, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(result == sum_of_all), 'nonblocking allreduce')
        numbers = own*0.5d0
        call MPI_Allreduce(numbers, largest, m, MPI_DOUBLE_PRECISION, MPI_MAX, comm ERROR_ARGUMENT)
        call check(all(largest == [(content(n - 1, 0, i)*0.5d0, i=1, m)]), 'allreduce of double precision')

        do j = 0, n - 1
            blocks(:, j) = own + j
        end do
        result = -1
        call MPI_Reduce_scatter_block(blocks, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(result == sum_of_all + n*rank), 'reduce-scatter-block')
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, blocks, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(blocks(:, 0) == sum_of_all + n*rank), 'reduce-scatter-block in place')
        do j = 0, n - 1
            blocks(:, j) = own + j
        end do
        result = -1
        call MPI_Ireduce_scatter_block(blocks, result, m, MPI_INTEGER, MPI_SUM, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(result == sum_of_all + n*rank), 'nonblocking reduce-scatter-block')

        result = -1
        call MPI_Scan(own, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(result == sum_so_far), 'scan')
        result = own
        call MPI_Scan(MPI_IN_PLACE, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(all(result == sum_so_far), 'scan in place')
        result = -1
        call MPI_Iscan(own, result, m, MPI_INTEGER, MPI_SUM, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(all(result == sum_so_far), 'nonblocking scan')
        result = -1
        call MPI_Exscan(own, result, m, MPI_INTEGER, MPI_SUM, comm ERROR_ARGUMENT)
        call check(rank == 0 .or. all(result == sum_before), 'exscan')
        result = -1
        call MPI_Iexscan(own, result, m, MPI_INTEGER, MPI_SUM, comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
        call check(rank == 0 .or. all(result == sum_before), 'nonblocking exscan')
        call MPI_Barrier(comm ERROR_ARGUMENT)
        call MPI_Ibarrier(comm, started ERROR_ARGUMENT)
        call MPI_Wait(started, MPI_STATUS_IGNORE ERROR_ARGUMENT)
    end subroutine

    !> Pairs (a, b) are the functions a x + b modulo 97, which do not commute.
    pure function composed(outer, inner)
        integer, intent(in) :: outer(2), inner(2)
        integer :: composed(2)
        composed = modulo([outer(1)*inner(1), outer(1)*inner(2) + outer(2)], 97)
    end function

#if BINDING == 2
    subroutine compose(left, right, count, type)
        use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
        type(c_ptr), value :: left, right
        integer :: count, i
        type(MPI_Datatype) :: type
        integer, pointer :: outer(:, :), inner(:, :)
        call c_f_pointer(left, outer, [2, count])
        call c_f_pointer(right, inner, [2, count])
        do i = 1, count
            inner(:, i) = composed(outer(:, i), inner(:, i))
        end do
    end subroutine
#else
    subroutine compose(outer, inner, count, type)
        integer :: count, type, i
        integer :: outer(2, count), inner(2, count)
        do i = 1, count
            inner(:, i) = composed(outer(:, i), inner(:, i))
        end do
    end subroutine
#endif

    subroutine own_operator(comm)
        COMMUNICATOR, intent(in) :: comm
        integer :: own(2, m), result(2, m), expected(2, m), so_far(2, m), i, j
        DATATYPE :: type
        OPERATOR_HANDLE :: op
        call MPI_Type_contiguous(2, MPI_INTEGER, type ERROR_ARGUMENT)
        call MPI_Type_commit(type ERROR_ARGUMENT)
        call MPI_Op_create(compose, .false., op ERROR_ARGUMENT)
        do i = 1, m
            own(:, i) = [1 + modulo(rank + i, 96), modulo(3*rank + i, 97)]
            expected(:, i) = [1, 0]
            do j = 0, n - 1
                expected(:, i) = composed(expected(:, i), [1 + modulo(j + i, 96), modulo(3*j + i, 97)])
                if (j == rank) so_far(:, i) = expected(:, i)
            end do
        end do
        result = -1
        call MPI_Reduce(own, result, m, type, op, 1, comm ERROR_ARGUMENT)
        call check(all(result == merge(expected, -1, rank == 1)), 'reduce with an operator of the program')
        call MPI_Allreduce(own, result, m, type, op, comm ERROR_ARGUMENT)
        call check(all(result == expected), 'allreduce with an operator of the program')
        call MPI_Scan(own, result, m, type, op, comm ERROR_ARGUMENT)
        call check(all(result == so_far), 'scan with an operator of the program')
        call MPI_Op_free(op ERROR_ARGUMENT)
        call MPI_Type_free(type ERROR_ARGUMENT)
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
    call allgathers(MPI_COMM_WORLD)
    call reductions(MPI_COMM_WORLD)
    call own_operator(MPI_COMM_WORLD)
    call MPI_Allreduce(right, all_right, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
    if (rank == 0 .and. all_right) print '(a)', 'all right'
    call MPI_Finalize(error)
    if (.not. all_right) stop 1
end program
