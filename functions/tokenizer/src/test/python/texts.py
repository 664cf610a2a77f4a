"""Texts of many scripts and of what tokenizers stumble over, and random ones."""

import random

SENTENCES = [
    "All human beings are born free and equal in dignity and rights.",
    "The quick brown fox jumps over the lazy dog; it's 12:45 already, isn't it? We'll see, I'd say, they've gone, you're right.",
    "def main(args):\n    for i in range(10):\n\tprint(f\"{i:>3} {args[i]!r}\")\n\n\n    return {'a': [1, 2.5e-3], \"b\": None}  # done\r\n",
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Straße, Übergröße, ÄÖÜ, ẞ.",
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Œuvre, naïve, c'est l'été.",
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos. ¿Qué? ¡Mañana!",
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Żółć.",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. İstanbul, ışık, IĞDIR.",
    "Все люди рождаются свободными и равными в своём достоинстве и правах. Ёлка, подъезд.",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια. ΟΔΥΣΣΕΥΣ ς",
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. שָׁלוֹם",
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. مُحَمَّد ١٢٣٤٥",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। क्षत्रिय १२३",
    "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
    "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்.",
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ๑๒๓",
    "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့်",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。２０２４年１月！",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。ｶﾀｶﾅ ガ",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 각",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm. Việt Nam ệ ệ",
    "ყველა ადამიანი იბადება თავისუფალი. Ⴀ ა Ა",
    "Բոլոր մարդիկ ծնվում են ազատ ու հավասար. և",
    "ሁሉም የሰው ልጆች ሲወለዱ ነጻና እኩል ናቸው።",
    "Emoji: 😀 👩‍👩‍👧‍👦 🇩🇪🇫🇷 👍🏽 ❤️ ☺ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🤦🏿‍♀️.",
    "Maths: ∑_{i=0}^{n} x² ≤ ½·∞ → ℝ ∈ {α, β} ≠ ∅, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛, ﬁ ﬂ ﬃ № ™ ℡ ⅷ Ⅷ ㎏ ㍿",
    "Price: $1,234.56 (≈ €1.100,00); 100% of 3.14159e+10, 0xDEADBEEF, v1.2.3-rc4, IPv6 ::1, user@example.com, https://a.b/c?d=e&f=g#h",
    "<|endoftext|> <s></s> <unk> [CLS] [SEP] [MASK] <|im_start|>user\nhi<|im_end|> <mask>",
]

ODD = [
    "", " ", "  ", "   a", "a   ", " a  b   c ", "\n", "\n\n\n", "\r\n", "\r\n\r\n x", "\t\t", " \n ", "a\n b", "a \n\n  b", "\u00a0", "\u3000x\u2003y\u2028z\u0085", "\x00", "a\x00b", "\x01\x1f\x7f\x80\x9f",
    "\ufeffa", "\ufffd", "\uffff", "\U0010ffff", "\ue000", "a\u200bb\u200cc\u200dd\u00ade", "e\u0301", "\u0301", "a\u0301\u0302\u0303\u0304", "\u1e9b\u0323", "\u212b\u2126\u212a", "\u0130\u0131\u017f\u1e9e", "'S 'ſ 'T 'RE don'T I'LL",
    "''''", "it's's", "'s", "a'b", "x'll'll", "ǅ ǆ Ǆ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ababababababababababababababababababababababababababababababab",
    "1", "12", "123", "1234", "12345678901234567890", "1a2b3c", "½¾Ⅳ²③", "١٢٣४५६",
    "▁", "▁▁", " ▁a▁ b", "▁a", "a▁", "##a", "a ##b", "<0x41>", "<0xE2><0x82><0xAC>", "Ġ", "Ċa", "ĠĠ",
    "...", "?!", "--", "a-b_c", "_", "__init__", "a.b,c;d:e", "$€£¥", "+-*/=<>", "`~^|", "«»“”„‘’", "。、！？",
    "<|endoftext|>", "a<|endoftext|>b", " <|endoftext|> ", "<|endoftext|><|endoftext|>", "<|endoftext", "<s>", "</s>a", "[MASK]", " [MASK] ", "a[MASK]b", "x <mask>  y", "<mask>", "unaffable", "Unbelievable", "HELLO hello HeLLo",
    "<|im_start|>", "word", "sword words word", "word.", "a word b", "WORD", "[CLS] a [SEP] b [SEP]",
    "한국어", "\u1112\u1161\u11ab", "中文字", "a中b", "\u2b921 \U0002b740\U0002b920\U00020000", "ｆｕｌｌ　ｗｉｄｔｈ", "ﷺ", "ŉ", "ﬀ", "Å", "ガ", "ｶﾞ",
    "👩‍👩‍👧‍👦", "🇩🇪", "🇩", "❤️", "👍🏽👍", "क्षि", "กำ", "a\u0300\u0316b", "\u0f73\u0f75", "\U0001d15e",
    "do not  n't 've", "I ' m", "a , b . c ! d ?", " ' ", "x" * 120, "é" * 101, "\n" * 40 + "a", " " * 70 + "b", "\u0e33" * 3, "ab\rcd\r\nef", "\x0b\x0c", "a\u2028b\u2029c",
]

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "abcABC 0123 .,'!? \n\t",
    " \n\r\t\u00a0\u3000ab",
    "'sStTrReEvVmMlLdD \u017f\u212a",
    "äöüßéèçñøåæœÄÖÜ \u0301\u0308\u0327",
    "абвгдеёжзийк АБВ",
    "中文字人生而自由，。０１２Ａ",
    "あいうアイウｱｲｳ゛ﾞー",
    "가각한글\u1100\u1161\u11a8",
    "العربية \u064e\u064f١٢٣",
    "हिन्दी क्ष १२३ ।",
    "😀👩\u200d\ufe0f🏽🇩🇪❤",
    "▁#<>0xE2[]|_ĠĊ",
    "\x00\x01\x7f\x85\xad\u200b\u200d\ufeff\ufffd\ue000\U0010ffff",
    "½²①ⅷﬁ㎏™ℝ𝔘",
    "word <|im_start|>[MASK]<mask> a",
]


def pools():
    """Characters that random texts draw from: alphabets, sentences, and everything that Unicode 8 has."""
    return [list(a) for a in ALPHABETS] + [list("".join(SENTENCES))]


def random_text(rng, most=40, everything=0.05):
    """A text of several runs, each of one pool; sometimes of any character but surrogates."""
    out = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        length = rng.randint(1, most // 2)
        if kind < everything:
            for _ in range(length // 4 + 1):
                c = rng.choice((rng.randrange(0x3000), rng.randrange(0x110000)))
                out.append("x" if 0xD800 <= c < 0xE000 else chr(c))
        elif kind < 0.3:
            sentence = rng.choice(SENTENCES)
            start = rng.randrange(len(sentence))
            out.append(sentence[start : start + length])
        else:
            pool = rng.choice(POOLS)
            out.append("".join(rng.choice(pool) for _ in range(length)))
    return "".join(out)


POOLS = pools()


def all_texts():
    rng = random.Random(7)
    return SENTENCES + ODD + [random_text(rng, everything=0) for _ in range(120)]
