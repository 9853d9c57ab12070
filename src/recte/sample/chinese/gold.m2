S 我 昨天 去 了 图书馆 借 一 本 书 。
A 3 4|||U||||||REQUIRED|||-NONE-|||0
A 6 6|||M|||了|||REQUIRED|||-NONE-|||0
A 5 5|||M|||，|||REQUIRED|||-NONE-|||1
A 6 6|||M|||了|||REQUIRED|||-NONE-|||1

S 他 的 汉语 说 的 很 流利 。
A 4 5|||R|||得|||REQUIRED|||-NONE-|||0
A 4 5|||R|||得|||REQUIRED|||-NONE-|||1

S 因为 下雨 ， 所以 我们 没有 去 公园 玩 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 这 个 城市 的 天气 比 北京 很 暖和 。
A 7 8|||U||||||REQUIRED|||-NONE-|||0
A 7 9|||R|||暖和 得 多|||REQUIRED|||-NONE-|||1

S 我 对 中国 文化 很 感 兴趣 的 。
A 7 8|||U||||||REQUIRED|||-NONE-|||0
A 7 8|||U||||||REQUIRED|||-NONE-|||1

S 妈妈 每天 给 我 做 饭 和 洗 衣服 。
A 4 7|||R|||做饭 、|||REQUIRED|||-NONE-|||0
A 6 7|||R|||，|||REQUIRED|||-NONE-|||1

S 他们 结婚 三 年 了 ， 生活 很 幸福 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 老师 让 我们 把 作业 写 。
A 6 6|||M|||完|||REQUIRED|||-NONE-|||0
A 3 4|||R|||写|||REQUIRED|||-NONE-|||1
A 5 6|||U||||||REQUIRED|||-NONE-|||1

S 我 学习 汉语 已经 两 年 。
A 6 6|||M|||了|||REQUIRED|||-NONE-|||0
A 1 2|||R|||学|||REQUIRED|||-NONE-|||1
A 6 6|||M|||了|||REQUIRED|||-NONE-|||1

S 如果 你 有 时间 ， 来 我 家 做 客 。
A 5 5|||M|||就|||REQUIRED|||-NONE-|||0
A 8 10|||R|||做客 吧|||REQUIRED|||-NONE-|||0
A 5 5|||M|||请|||REQUIRED|||-NONE-|||1

S 手机 对 我们 的 生活 带来 了 很 多 方便 。
A 1 2|||R|||给|||REQUIRED|||-NONE-|||0
A 1 2|||R|||为|||REQUIRED|||-NONE-|||1
A 9 10|||R|||便利|||REQUIRED|||-NONE-|||1

S 昨天 晚上 我 见面 了 我 的 老 朋友 。
A 3 4|||R|||见|||REQUIRED|||-NONE-|||0
A 3 5|||R|||跟|||REQUIRED|||-NONE-|||1
A 9 9|||M|||见面 了|||REQUIRED|||-NONE-|||1

