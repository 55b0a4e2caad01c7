/**
 * Numbers of system calls: x86-64, arm64. From the headers of Linux (asm/unistd_64.h, asm-generic/unistd.h); they never change.
 */
const NONE = -1;

export type Architecture = 'x64' | 'arm64';
export type Numbers = readonly [x64: number, arm64: number];

/** Denied: these fail with EPERM. */
export const deniedCalls: readonly Numbers[] = [
  // No connections, and no descriptors passed over the channels that are there.
  [41, 198], // socket
  [53, 199], // socketpair
  [42, 203], // connect
  [49, 200], // bind
  [50, 201], // listen
  [43, 202], // accept
  [288, 242], // accept4
  [46, 211], // sendmsg
  [307, 269], // sendmmsg
  [44, 206], // sendto
  [47, 212], // recvmsg
  [299, 243], // recvmmsg
  // No other processes: none started, signalled, read or traced. clone is denied but for threads.
  [57, NONE], // fork
  [58, NONE], // vfork
  [322, 281], // execveat
  [62, 129], // kill
  [200, 130], // tkill
  [234, 131], // tgkill
  [129, 138], // rt_sigqueueinfo
  [297, 240], // rt_tgsigqueueinfo
  [424, 424], // pidfd_send_signal
  [434, 434], // pidfd_open
  [438, 438], // pidfd_getfd
  [101, 117], // ptrace
  [310, 270], // process_vm_readv
  [311, 271], // process_vm_writev
  [440, 440], // process_madvise
  [448, 448], // process_mrelease
  [312, 272], // kcmp
  [112, 157], // setsid
  [109, 154], // setpgid
  [141, 140], // setpriority
  [251, 30], // ioprio_set
  // No change to the file system, by name or by descriptor.
  [85, NONE], // creat
  [86, NONE], // link
  [265, 37], // linkat
  [88, NONE], // symlink
  [266, 36], // symlinkat
  [133, NONE], // mknod
  [259, 33], // mknodat
  [83, NONE], // mkdir
  [258, 34], // mkdirat
  [82, NONE], // rename
  [264, 38], // renameat
  [316, 276], // renameat2
  [87, NONE], // unlink
  [263, 35], // unlinkat
  [84, NONE], // rmdir
  [76, 45], // truncate
  [77, 46], // ftruncate
  [285, 47], // fallocate
  [90, NONE], // chmod
  [91, 52], // fchmod
  [268, 53], // fchmodat
  [452, 452], // fchmodat2
  [92, NONE], // chown
  [93, 55], // fchown
  [94, NONE], // lchown
  [260, 54], // fchownat
  [188, 5], // setxattr
  [189, 6], // lsetxattr
  [190, 7], // fsetxattr
  [197, 14], // removexattr
  [198, 15], // lremovexattr
  [199, 16], // fremovexattr
  [132, NONE], // utime
  [235, NONE], // utimes
  [280, 88], // utimensat
  [261, NONE], // futimesat
  [303, 264], // name_to_handle_at
  [304, 265], // open_by_handle_at
  [253, NONE], // inotify_init
  [294, 26], // inotify_init1
  [254, 27], // inotify_add_watch
  [300, 262], // fanotify_init
  [301, 263], // fanotify_mark
  [275, 76], // splice
  [276, 77], // tee
  [278, 75], // vmsplice
  // No other view of the system.
  [165, 40], // mount
  [166, 39], // umount2
  [155, 41], // pivot_root
  [430, 430], // fsopen
  [431, 431], // fsconfig
  [432, 432], // fsmount
  [433, 433], // fspick
  [429, 429], // move_mount
  [428, 428], // open_tree
  [442, 442], // mount_setattr
  [272, 97], // unshare
  [308, 268], // setns
  [161, 51], // chroot
  [179, 60], // quotactl
  [443, 443], // quotactl_fd
  // No memory or messages shared with others.
  [319, 279], // memfd_create
  [447, 447], // memfd_secret
  [29, 194], // shmget
  [30, 196], // shmat
  [31, 195], // shmctl
  [67, 197], // shmdt
  [68, 186], // msgget
  [69, 189], // msgsnd
  [70, 188], // msgrcv
  [71, 187], // msgctl
  [64, 190], // semget
  [65, 193], // semop
  [66, 191], // semctl
  [220, 192], // semtimedop
  [240, 180], // mq_open
  [241, 181], // mq_unlink
  [242, 182], // mq_timedsend
  [243, 183], // mq_timedreceive
  [244, 184], // mq_notify
  [245, 185], // mq_getsetattr
  [250, 219], // keyctl
  [248, 217], // add_key
  [249, 218], // request_key
  // No other user.
  [105, 146], // setuid
  [106, 144], // setgid
  [113, 145], // setreuid
  [114, 143], // setregid
  [117, 147], // setresuid
  [119, 149], // setresgid
  [116, 159], // setgroups
  [122, 151], // setfsuid
  [123, 152], // setfsgid
  [135, 92], // personality
  // Parts of the kernel that no program of this kind needs, and that had most of its faults.
  [321, 280], // bpf
  [298, 241], // perf_event_open
  [323, 282], // userfaultfd
  [426, 426], // io_uring_enter
  [427, 427], // io_uring_register
  [154, NONE], // modify_ldt
  [172, NONE], // iopl
  [173, NONE], // ioperm
  [134, NONE], // uselib
  [136, NONE], // ustat
  [212, 18], // lookup_dcookie
  [175, 105], // init_module
  [313, 273], // finit_module
  [176, 106], // delete_module
  [246, 104], // kexec_load
  [320, 294], // kexec_file_load
  [169, 142], // reboot
  [167, 224], // swapon
  [168, 225], // swapoff
  [103, 116], // syslog
  [163, 89], // acct
  [153, 58], // vhangup
  [170, 161], // sethostname
  [171, 162], // setdomainname
  [164, 170], // settimeofday
  [227, 112], // clock_settime
  [159, 171], // adjtimex
  [305, 266], // clock_adjtime
];

/** Calls that depend on their arguments. */
export const checkedCalls = {
  open: [2, NONE],
  openat: [257, 56],
  clone: [56, 220],
  ioctl: [16, 29],
} as const satisfies Record<string, Numbers>;

/** These fail with ENOSYS, upon which libraries use older calls whose arguments a filter can see. */
export const absentCalls: readonly Numbers[] = [
  [435, 435], // clone3
  [437, 437], // openat2
  [425, 425], // io_uring_setup
];

/** Later calls are unknown here, so they fail with ENOSYS, too, as on an older kernel. */
export const LAST_CALL = 456;
