proctype P(chan c; byte n) { c?<n>; { atomic { d_step { n++ } } 
