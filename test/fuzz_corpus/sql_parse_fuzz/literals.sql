SELECT U&'\0041\+01F600' UESCAPE '!', X'0aff', N'a', _UTF16'b', `a``b`, .5, 1e3 /* c */ -- d
